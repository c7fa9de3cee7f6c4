import { describe, expect, it } from 'vitest'
import { lazyModule } from '../../src/lib/lazy-module.ts'

describe('a lazy module', () => {
  it('is the package itself, the same each time', async () => {
    const acorn = lazyModule<typeof import('acorn')>('acorn')
    expect(acorn().version).toBe((await import('acorn')).version)
    expect(acorn()).toBe(acorn())
  })

  it('is not looked for before it is needed', () => {
    const missing = lazyModule('no-such-package')
    expect(missing).toThrow("Cannot find module 'no-such-package'")
  })
})
