import { describe, expect, it } from 'vitest'
import type { Block } from '../../../schemas/blocks/index.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { credentialSchemaOf } from '../../../src/config/credentials/credential-schemas.ts'

describe('the account that a block calls with', () => {
  const types = [...blockRegistry].flatMap(([type, { marks }]) => {
    const block = { id: 'b', type, options: { credentialsId: 'x' } } as unknown as Block
    const account = marks?.account?.(block)
    return account === undefined ? [] : [[type, account]]
  })

  it.each(types)('of %s has a type that CREDENTIALS_FILE can hold: %s', (_block, account) => {
    expect(credentialSchemaOf(account as string)).toBeDefined()
  })

  it('is looked at for every vendor', () => {
    expect(types.length).toBeGreaterThan(10)
  })
})
