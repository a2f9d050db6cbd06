export * from '../../client/src/index.ts'
export { type RunningMayfly, startMayfly } from './start.ts'
