export default {
  testEnvironment: '<rootDir>/test/services/jest-environment.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  runtime: '<rootDir>/test/services/jest-runtime.cjs',
  // On two cores. Dear files come first and run two at a time, because three start up to 15 processes at a time and exceed their time
  // limits on a slow machine (2026-11-26): the third worker runs others meanwhile. Three take .86 of the time of two for the same
  // processor time (60 small files, 2026-11-28, one comparison).
  maxWorkers: 3,
  // Otherwise memory retained from earlier test files grows to 800 MB, and tests take up to eight times as long.
  workerIdleMemoryLimit: '300MB',
  // Costs nothing while tests pass; on a busy machine a test takes many times as long.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/tools/long-first.cjs',
  globalSetup: '<rootDir>/test/services/jest-setup.ts',
  globalTeardown: '<rootDir>/test/services/jest-teardown.ts',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' }, sourceMaps: 'inline' },
    ],
  },
  reporters: ['default', '<rootDir>/test/tools/costs.cjs', '<rootDir>/test/tools/closing-line.cjs'],
}
