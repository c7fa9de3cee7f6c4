import { lazyModule } from '../../lib/lazy-module.ts'

export const undici = lazyModule<typeof import('undici')>('undici')
