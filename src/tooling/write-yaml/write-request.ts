import { hasOnly, type Loose, stepFields, type Writing, withNames } from './writing.ts'

type Rows = readonly Loose[] | undefined

/** An HTTP request as a step; undefined where its rows or its body are not as such a step has them. */
export function writeRequest(block: Loose, writing: Writing): Loose | undefined {
  const {
    webhook,
    isCustomBody,
    responseVariableMapping,
    variablesForTest: _,
    ...more
  } = Object(block['options'])
  const { id: _id, url, method, queryParams, headers, body, ...odd } = Object(webhook)
  const isOdd =
    !hasOnly(block, ['id', 'type', 'outgoingEdgeId', 'lint', 'options']) || Object.keys(odd).length > 0
  if (isOdd || typeof url !== 'string' || url === '') return undefined
  if ((isCustomBody === true) !== (body !== undefined)) return undefined
  const { names } = writing
  const parts = {
    query: mapOf(queryParams, 'key', 'value'),
    headers: mapOf(headers, 'key', 'value'),
    into: mapOf(namedRows(responseVariableMapping, writing), 'variableId', 'bodyPath'),
  }
  const isTold = ((responseVariableMapping ?? []) as Loose[]).every((row) =>
    names.declares(String(row['variableId'])),
  )
  if (Object.values(parts).includes(null) || !isTold) return undefined
  const { query, headers: headerMap, into } = parts
  return {
    request: url,
    ...(method !== undefined && { method }),
    ...(query && { query }),
    ...(headerMap && { headers: headerMap }),
    ...(body !== undefined && { body }),
    ...(into && { into }),
    ...(withNames(more, names) as Loose),
    ...stepFields(block, writing),
  }
}

/** Undefined for no rows, null for rows that make no map. */
function mapOf(rows: Rows, key: string, value: string): ReadonlyMap<string, string> | undefined | null {
  if (!rows || rows.length === 0) return undefined
  const map = new Map<string, string>()
  for (const { id: _, ...row } of rows) {
    const { [key]: name, [value]: text } = row
    const isWhole =
      typeof name === 'string' && name !== '' && typeof text === 'string' && hasOnly(row, [key, value])
    if (!isWhole || map.has(name)) return null
    map.set(name, text)
  }
  return map
}

function namedRows(rows: Rows, { names }: Writing): Rows {
  return withNames(rows, names) as Rows
}
