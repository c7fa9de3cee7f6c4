import { lazyModule } from '../../lazy-module.ts'

export const undici = lazyModule<typeof import('undici')>('undici')
