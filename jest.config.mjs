export default {
  testEnvironment: '<rootDir>/test/services/jest-environment.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  runtime: '<rootDir>/test/services/jest-runtime.cjs',
  // One more than the cores of a small machine: suites wait for ClickHouse, brokers, processes and timers. 375 of them took 264 s on two
  // workers and 233 s on three (2026-11-26, one pair).
  maxWorkers: 3,
  // What a test file leaves behind grows to 800 MB, and everything takes up to eight times as long then.
  workerIdleMemoryLimit: '300MB',
  // Costs nothing where a test passes; on a busy machine one takes many times as long.
  testTimeout: 120_000,
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
