export default {
  testEnvironment: '<rootDir>/test/services/jest-environment.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  runtime: '<rootDir>/test/services/jest-runtime.cjs',
  // As many as the cores of a small machine. On three, small suites are a tenth faster (375 of them 233 s instead of 264 s, one pair),
  // but the long ones start up to 15 processes at a time, and on a slow machine their limits of time pass (2026-11-26).
  maxWorkers: 2,
  // What a test file leaves behind grows to 800 MB, and everything takes up to eight times as long then.
  workerIdleMemoryLimit: '300MB',
  // Costs nothing where a test passes; on a busy machine one takes many times as long.
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
  reporters: ['default', '<rootDir>/test/tools/closing-line.cjs'],
}
