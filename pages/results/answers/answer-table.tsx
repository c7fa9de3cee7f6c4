import type { Signal } from '@preact/signals'
import { safeLink } from '../../shared/chat/safe-address.ts'
import { Wide } from '../overview/wide.tsx'
import type { BoardProps } from '../state/board.ts'
import type { Column } from '../state/describe-answers.ts'
import { inWords } from '../state/describe-answers.ts'
import type { Result } from '../state/wire.ts'

interface AnswerTableProps extends BoardProps {
  readonly columns: readonly Column[]
  readonly rows: readonly Result[]
  /** Ids of the results that are to be erased together. */
  readonly picked: Signal<ReadonlySet<string>>
}

export function AnswerTable({ board, columns, rows, picked }: AnswerTableProps) {
  const { list } = board
  const mayErase = list.value?.mayChange === true
  const areAllPicked = rows.every(({ id }) => picked.value.has(id))
  return (
    <Wide label="Table of conversations">
      <table class="answers">
        <caption class="unseen">Conversations</caption>
        <thead>
          <tr>
            {mayErase && (
              <th>
                <input
                  type="checkbox"
                  aria-label="Pick all of this page"
                  checked={areAllPicked}
                  onChange={() => {
                    picked.value = new Set(areAllPicked ? [] : rows.map(({ id }) => id))
                  }}
                />
              </th>
            )}
            {columns.map(({ key, title }) => (
              <SortableHead key={key} board={board} columnKey={key} title={title} />
            ))}
            <th scope="col">
              <span class="unseen">Open</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((result) => (
            <Row
              key={result.id}
              result={result}
              columns={columns}
              board={board}
              picked={mayErase ? picked : undefined}
            />
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

interface SortableHeadProps extends BoardProps {
  readonly columnKey: string
  readonly title: string
}

/** Of these the largest comes first when they are chosen: the latest, the longest. */
const fallingFirst: readonly string[] = ['created', 'updated', 'lasted']

/** The head of a column, which sorts by it; once more, the other way round. */
function SortableHead({ board, columnKey, title }: SortableHeadProps) {
  const { sort = 'created', isRising } = board.place.value.filter
  const isSorted = sort === columnKey
  const choose = () =>
    board.filter({
      sort: columnKey === 'created' ? undefined : columnKey,
      isRising: isSorted ? !isRising : !fallingFirst.includes(columnKey),
    })
  return (
    <th scope="col" title={title} {...(isSorted && { 'aria-sort': isRising ? 'ascending' : 'descending' })}>
      <button type="button" class="link sorts" onClick={choose}>
        <span class="clipped">{title}</span>
        {isSorted && <span>{isRising ? '↑' : '↓'}</span>}
      </button>
    </th>
  )
}

interface RowProps extends BoardProps {
  readonly result: Result
  readonly columns: readonly Column[]
  readonly picked: Signal<ReadonlySet<string>> | undefined
}

function Row({ result, columns, board: { selected }, picked }: RowProps) {
  const { id, createdAt } = result
  const begun = inWords(createdAt)
  const pick = () => {
    const others = new Set(picked?.value)
    if (!others.delete(id)) others.add(id)
    if (picked) picked.value = others
  }
  return (
    <tr class={selected.value === id ? 'selected' : ''} data-result={result.conversation}>
      {picked && (
        <td>
          <input
            type="checkbox"
            aria-label={`Pick the conversation of ${begun}`}
            checked={picked.value.has(id)}
            onChange={pick}
          />
        </td>
      )}
      {columns.map(({ key, isShort, read }) => (
        <td key={key}>
          <Cell lines={read(result)} isShort={isShort} />
        </td>
      ))}
      <td>
        <button
          type="button"
          class="link"
          aria-expanded={selected.value === id}
          aria-label={`Open the conversation of ${begun}`}
          onClick={() => {
            selected.value = selected.value === id ? undefined : id
          }}
        >
          Open
        </button>
      </td>
    </tr>
  )
}

/** Lines of a cell; addresses of files are links. */
export function Cell({
  lines,
  isShort = false,
}: {
  readonly lines: readonly string[]
  readonly isShort?: boolean
}) {
  return (
    <div class={isShort ? 'cell nowrap' : 'cell'} dir="auto">
      {lines.map((line, index) => {
        const href = /^https?:\/\/\S+$/.test(line) ? safeLink(line) : undefined
        return href === undefined ? (
          <span key={index}>{line}</span>
        ) : (
          <a key={index} href={href} target="_blank" rel="noopener noreferrer">
            {fileName(line)}
          </a>
        )
      })}
    </div>
  )
}

function fileName(address: string): string {
  const { pathname, host } = new URL(address)
  return decoded(pathname.split('/').at(-1) ?? '') || host
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
