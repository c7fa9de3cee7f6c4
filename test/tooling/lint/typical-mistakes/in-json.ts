/** A mistake, with words of the line that an author has to look at, and what the finding says. */
export interface TypicalMistake {
  readonly text: string
  readonly line: string
  readonly says: RegExp
}

/** A flow that is right but for the blocks put into its first group. */
const flow = (...blocks: readonly string[]) => `{
  "$schema": "https://flows.example/schemas/flow.schema.json",
  "version": "6.1",
  "id": "mine",
  "variables": [{ "id": "vName", "name": "Name" }, { "id": "vAge", "name": "Age" }],
  "events": [{ "id": "start", "type": "start", "outgoingEdgeId": "begin" }],
  "groups": [
    {
      "id": "ask",
      "title": "Ask",
      "blocks": [
        { "id": "n", "type": "text input", "options": { "variableId": "vName" } },
        { "id": "a", "type": "number input", "options": { "variableId": "vAge" } },
        ${blocks.join(',\n        ')},
        { "id": "last", "type": "text", "content": "{{Name}}, {{Age}}", "outgoingEdgeId": "on" }
      ]
    },
    { "id": "end", "title": "End", "blocks": [{ "id": "bye", "type": "text", "content": "Bye!" }] }
  ],
  "edges": [
    { "id": "begin", "to": { "groupId": "ask" } },
    { "id": "on", "to": { "groupId": "end" } }
  ],
  "settings": { "general": { "systemMessages": { "invalidMessage": "Once more, please." } } }
}
`

const right = flow('{ "id": "t", "type": "text", "content": "Hello" }')

const block = (type: string, ...inside: readonly string[]) =>
  flow(`${[`{ "id": "x", "type": "${type}"`, ...inside].join(',\n          ')} }`)

const condition = (comparison: string) =>
  block(
    'Condition',
    `"items": [{ "id": "i", "outgoingEdgeId": "on", "content": { "comparisons": [{ "id": "q", ${comparison} }] } }]`,
  )

const request = (...inside: readonly string[]) =>
  block('Webhook', `"options": { "webhook": { "method": "GET", ${inside.join(',\n          ')} } }`)

const url = '"url": "https://shop.example/orders"'

const changed = (from: string, to: string) => right.replace(from, to)

/** What people who write flows by hand get wrong, in JSON. */
export const inJson: Readonly<Record<string, TypicalMistake>> = {
  'a comma too many': { text: changed('"Hello" },', '"Hello" },,'), line: '},,', says: /not valid JSON/ },
  'a type in other capitals': { text: block('Text'), line: '"Text"', says: /Did you mean "text"/ },
  'a placeholder that nothing is called': {
    text: block('text', '"content": "Hello {{Nmae}}"'),
    line: 'Nmae',
    says: /Did you mean "Name"/,
  },
  'a way that is not there': {
    text: changed('"outgoingEdgeId": "on"', '"outgoingEdgeId": "onn"'),
    line: '"onn"',
    says: /Add an edge of this id/,
  },
  'an operator that is none': {
    text: condition('"variableId": "vAge",\n"comparisonOperator": "Greater or equal", "value": "18"'),
    line: '"Greater or equal"',
    says: /must be one of: .*Greater or equal to/,
  },
  'a list where a text belongs': {
    text: block('text', '"content": ["Hello"]'),
    line: '["Hello"]',
    says: /must be string,object/,
  },
  'choices of another kind': {
    text: block('choice input', '"items": ["Yes"]'),
    line: '["Yes"]',
    says: /must be object/,
  },
  'a text where a number belongs': {
    text: block('AB test', '"items": [{ "id": "p" }, { "id": "q" }]', '"options": { "aPercent": "half" }'),
    line: '"half"',
    says: /must be number/,
  },
  'one id twice': { text: changed('"id": "t"', '"id": "n"'), line: 'Hello', says: /Give this one its own/ },
  'steps behind a way': {
    text: block(
      'Set variable',
      '"options": { "variableId": "vName", "expressionToEvaluate": "Ada" }',
      '"outgoingEdgeId": "on"',
    ),
    line: '"last"',
    says: /Take away what leads elsewhere/,
  },
  'an address without its scheme': {
    text: request('"url": "shop.example/orders"'),
    line: '"shop.example',
    says: /Write it in whole: https/,
  },
  'a mail to nobody': {
    text: block('Email', '"options": { "credentialsId": "default", "subject": "Hi", "body": "Hi" }'),
    line: '"credentialsId"',
    says: /under `recipients`/,
  },
  'a start that leads nowhere': {
    text: changed(', "outgoingEdgeId": "begin"', ''),
    line: '"start" }',
    says: /connect it to a group/,
  },
  'a variable that is none, in an input': {
    text: block('email input', '"options": { "variableId": "Name", "retryMessageContent": "Once more?" }'),
    line: '"variableId": "Name"',
    says: /its id is "vName"/,
  },
  'a variable that is none, in a condition': {
    text: condition('"variableId": "vFoo",\n"comparisonOperator": "Is set"'),
    line: '"vFoo"',
    says: /Declare it/,
  },
  'a loop without end': {
    text: changed(
      '"Hello" },',
      '"Hello" },\n{ "id": "j", "type": "Jump", "options": { "groupId": "round" } },',
    ).replace(
      '{ "id": "end", "title"',
      '{ "id": "round", "title": "Round", "blocks": [{ "id": "r", "type": "text", "content": "Round" }, { "id": "k", "type": "Jump", "options": { "groupId": "round" } }] },\n    { "id": "end", "title"',
    ),
    line: '"Round"',
    says: /leave it by a condition/,
  },
  'a key that is called otherwise': {
    text: block('number input', '"options": { "variableId": "vAge",\n"minimum": 1 }'),
    line: '"minimum"',
    says: /Did you mean "min"/,
  },
  'a key with a letter missing': {
    text: request(url, '"methd": "POST"'),
    line: '"methd"',
    says: /Did you mean "method"/,
  },
  'an option beside its place': {
    text: block('Webhook', '"options": { "url": "https://shop.example/orders" }'),
    line: '"url"',
    says: /belongs into "webhook"/,
  },
  'a variable beside its place': {
    text: block('text input', '"variableId": "vName"'),
    line: '"variableId": "vName" }',
    says: /belongs into "options"/,
  },
  'code that does not end': {
    text: block(
      'Set variable',
      '"options": { "variableId": "vAge", "expressionToEvaluate": "{{Age}} * (10" }',
    ),
    line: '(10',
    says: /a bracket or a quote/,
  },
  'a path without its beginning': {
    text: block(
      'Webhook',
      `"options": { "webhook": { "method": "GET", ${url} },\n"responseVariableMapping": [{ "variableId": "vName", "bodyPath": "free" }] }`,
    ),
    line: '"free"',
    says: /Did you mean "data.free"/,
  },
  'a listener that is to call': {
    text: block('webhook', '"options": { "webhook": { "url": "https://shop.example/orders" } }'),
    line: '"url"',
    says: /Known are: responseVariableMapping/,
  },
  'a version that is none': { text: changed('"6.1"', '"7"'), line: '"7"', says: /must be one of: .*6\.1/ },
  'a number in words': {
    text: condition('"variableId": "vAge", "comparisonOperator": "Greater than",\n"value": "six"'),
    line: '"six"',
    says: /Write a number/,
  },
  'a jump to no group': {
    text: block('Jump', '"options": { "groupId": "End" }'),
    line: '"groupId": "End"',
    says: /its id is "end"/,
  },
  'a choice of nothing': {
    text: block('choice input', '"items": []'),
    line: '"choice input"',
    says: /List choices under `items`/,
  },
  'one label twice': {
    text: block(
      'choice input',
      '"items": [{ "id": "y", "content": "Yes" },\n{ "id": "z", "content": "Yes" }]',
    ),
    line: '"z"',
    says: /another label/,
  },
  'a least above the most': {
    text: block('number input', '"options": { "variableId": "vAge",\n"min": 10, "max": 1 }'),
    line: '"min": 10',
    says: /Swap the two/,
  },
  'a value for no variable': {
    text: block('Set variable', '"options": { "expressionToEvaluate": "1" }'),
    line: '"Set variable"',
    says: /Name the variable/,
  },
  'a condition that asks nothing': {
    text: block(
      'Condition',
      '"items": [{ "id": "i", "outgoingEdgeId": "on", "content": { "comparisons": [] } }]',
    ),
    line: '"comparisons"',
    says: /Write a comparison/,
  },
  'a pattern that does not end': {
    text: condition('"variableId": "vAge", "comparisonOperator": "Matches regex",\n"value": "/(ab/"'),
    line: '/(ab/',
    says: /Close what is open/,
  },
  'one name twice': {
    text: changed('"name": "Age" }', '"name": "Age" },\n{ "id": "vOther", "name": "Name" }'),
    line: '"vOther"',
    says: /another name/,
  },
  'a group that nothing leads to': {
    text: changed(
      '{ "id": "end"',
      '{ "id": "lost", "title": "Lost", "blocks": [{ "id": "l", "type": "text", "content": "Lost" }] },\n    { "id": "end"',
    ),
    line: '"Lost"',
    says: /Lead an edge, an item or a Jump there/,
  },
  'the groups under another key': { text: changed('"groups"', '"group"'), line: '{', says: /'groups'/ },
  'a duration in words': {
    text: changed(
      '"begin" }],',
      '"begin" },\n{ "id": "i", "type": "idle", "outgoingEdgeId": "on", "options": { "after": "10 minutes" } }],',
    ),
    line: '"10 minutes"',
    says: /such as "PT30M"/,
  },
  'an event that is none': {
    text: changed('"begin" }],', '"begin" },\n{ "id": "i", "type": "timeout", "outgoingEdgeId": "on" }],'),
    line: '"timeout"',
    says: /There are: .*idle/,
  },
  'a placeholder with a brace too few': {
    text: block('text', '"content": "Hello {{Name}, you"'),
    line: '{{Name},',
    says: /is written \{\{Name\}\}/,
  },
  'rows as a map': {
    text: request(url, '"headers": { "Accept": "text/plain" }'),
    line: '"headers"',
    says: /must be array/,
  },
  'a body that is no JSON': {
    text: block(
      'Webhook',
      `"options": { "isCustomBody": true, "webhook": { ${url},\n"body": "{name: {{Name}}}" } }`,
    ),
    line: '"body"',
    says: /keys in double quotes/,
  },
}
