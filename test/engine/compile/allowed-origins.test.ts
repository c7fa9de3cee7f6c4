import { describe, expect, it } from 'vitest'
import { compileAllowedOrigins, originFindings } from '../../../src/engine/compile/allowed-origins.ts'

const settingsOf = (...allowedOrigins: string[]) => ({ security: { allowedOrigins } })

describe('allowed origins', () => {
  it.each([
    ['https://shop.example/', 'https://shop.example'],
    ['https://Shop.Example', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['app://Local/', 'app://Local'],
  ])('take %s for what browsers send, and say so', (written, origin) => {
    const settings = settingsOf('https://a.example', written)
    expect(compileAllowedOrigins(settings)).toEqual(['https://a.example', origin])
    expect(originFindings(settings)).toMatchObject([
      {
        severity: 'warning',
        pointer: '/settings/security/allowedOrigins/1',
        hint: expect.stringContaining(origin),
      },
    ])
  })

  it.each(['https://shop.example', 'http://localhost:3000', 'capacitor://localhost', 'null'])(
    'take %s as it is',
    (origin) => {
      expect(compileAllowedOrigins(settingsOf(origin))).toEqual([origin])
      expect(originFindings(settingsOf(origin))).toEqual([])
    },
  )

  it.each([
    'shop.example',
    '*',
    'https://shop.example/path',
    'https://shop.example?a',
    'https://me@shop.example',
    '',
  ])('let nobody in by %j, and say so', (written) => {
    expect(compileAllowedOrigins(settingsOf(written))).toEqual([written])
    expect(originFindings(settingsOf(written))).toMatchObject([{ severity: 'error', code: 'invalid-option' }])
  })
})
