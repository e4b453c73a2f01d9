export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  maxWorkers: 2,
  testTimeout: 30_000,
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
