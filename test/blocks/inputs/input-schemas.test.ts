import type { TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { FileInput, FileInputBlock, PaymentInput } from '../../../schemas/blocks/inputs/files-and-payments.ts'
import { NumberInput, NumberInputBlock } from '../../../schemas/blocks/inputs/numbers-and-dates.ts'
import { TextInputBlock } from '../../../schemas/blocks/inputs/texts.ts'

const ajv = new Ajv({ allErrors: true, strictTypes: false })

function errorsOf(schema: TSchema, value: object): string[] {
  const validate = ajv.compile(schema)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('the definition of an input', () => {
  it.each([
    [TextInputBlock, { mood: 'good', options: { labels: { tooltip: 'x' } } }],
    [NumberInputBlock, { options: { min: '{{Low}}', locale: 'fr', unit: 'mile-scandinavian' } }],
    [FileInputBlock, { options: { sizeLimit: 10 } }],
  ])('may hold unknown keys and leave out any option', (schema, rest) => {
    expect(errorsOf(schema, { id: 'i1', type: schema.properties.type.const, ...rest })).toEqual([])
  })

  it.each([
    [NumberInputBlock, { min: true }, '/options/min must be number,string'],
    [NumberInputBlock, { locale: 'english' }, '/options/locale must match pattern "^[a-z]{2}(-[A-Z]{2})?$"'],
    [NumberInputBlock, { unit: 'parsec' }, '/options/unit must be equal to one of the allowed values'],
    [
      TextInputBlock,
      { audioClip: { visibility: 'x' } },
      '/options/audioClip/visibility must be equal to one of the allowed values',
    ],
    [
      FileInputBlock,
      { allowedFileTypes: { types: [1] } },
      '/options/allowedFileTypes/types/0 must be string',
    ],
  ])('tells a wrong field once, at its place', (schema, options, error) => {
    expect(errorsOf(schema, { id: 'i1', type: schema.properties.type.const, options })).toEqual([error])
  })
})

describe('a shown input', () => {
  it.each([
    [NumberInput, { options: { min: '18' } }, '/options/min must be number'],
    [NumberInput, { mood: 'good' }, ' must NOT have additional properties'],
    [FileInput, { options: { sizeLimit: 1 } }, '/options must NOT have additional properties'],
    [
      FileInput,
      { options: { labels: { success: { few: 'x' } } } },
      '/options/labels/success must NOT have additional properties',
    ],
    [
      PaymentInput,
      { runtimeOptions: { publicKey: 'pk', amountLabel: '$1' } },
      "/runtimeOptions must have required property 'paymentIntentSecret'",
    ],
  ])('holds nothing but what is listed, at any depth', (schema, rest, error) => {
    expect(errorsOf(schema, { id: 'i1', type: schema.properties.type.const, ...rest })).toEqual([error])
  })

  it('may hold what the form of a payment needs', () => {
    const runtimeOptions = {
      paymentIntentSecret: 'pi_1_secret_2',
      amountLabel: '$12.50',
      publicKey: 'pk_test_3',
    }
    expect(errorsOf(PaymentInput, { id: 'i1', type: 'payment input', runtimeOptions })).toEqual([])
  })
})
