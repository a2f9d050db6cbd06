export * from '../../client/src/node.ts'
export { type RunningMayfly, startMayfly } from './start.ts'
export type { MayflyConfig } from './variables.ts'
