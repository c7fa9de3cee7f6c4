import { describe, expect, it } from 'vitest'
import { convertText } from '../../src/tooling/convert/convert-text.ts'

const yaml = 'flow: f\nvariables: [Name]\ngroups:\n  Hi:\n    - ask: Who?\n      into: Name\n    - Hello\n'

const toJson = (source: string) => convertText({ source, to: 'json' })
const toYaml = (source: string) => convertText({ source, to: 'yaml' })

describe('the other form of a flow', () => {
  it('is the JSON of a YAML, with the place of each part that has one of its own', () => {
    const { source = '', places, problems } = toJson(yaml)
    expect(problems).toEqual([])
    expect(JSON.parse(source).groups[0].blocks).toMatchObject([{ type: 'text' }, {}, { type: 'text' }])
    expect(places).toMatchObject({
      '/groups/0/blocks/0': '5:12',
      '/groups/0/blocks/1/options/variableId': '6:13',
      '/groups/0/blocks/2': '7:7',
    })
    expect(places).not.toHaveProperty('/groups/0/blocks/2/id')
  })

  it('is the YAML of a JSON, which leads back', () => {
    const { source = '' } = toJson(yaml)
    const written = toYaml(source).source ?? ''
    expect(written).toContain('- ask: Who?')
    expect(toJson(written).source).toBe(source)
  })

  it.each([
    ['YAML that is no flow', toJson('groups: []'), { pointer: '', place: '1:9' }],
    ['YAML with a name that nothing has', toJson(yaml.replace('to: N', 'to: M')), { place: '6:13' }],
    ['JSON that breaks off', toYaml('{"id": '), { pointer: '', place: '1:8' }],
    ['JSON that is no flow', toYaml('{\n  "id": 3, "groups": []\n}'), { pointer: '/id', place: '2:9' }],
  ])('is none of %s, and says where', (_, { problems, ...converted }, place) => {
    expect(problems).toContainEqual(expect.objectContaining(place))
    expect(converted).toEqual({})
  })
})
