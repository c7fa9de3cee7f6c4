import {
  curveOf,
  type GraphEdge,
  type GraphModel,
  type GraphNode,
} from '../../tooling/flow-graph/graph-model.ts'
import { type BlockTraffic, inDigits, marksOf, type Traffic } from '../../tooling/flow-graph/traffic.ts'
import { escapeXml } from '../output/plain-text.ts'

interface Caption {
  readonly name: string
  readonly traffic: Traffic | undefined
}

const margin = 24
const heading = 56

/** Room that a character of a row takes, where no browser measures it. */
const character = 7

/** A picture of a graph, in a file of its own: no script, no font and no other address. */
export function drawSvg(model: GraphModel, { name, traffic }: Caption): string {
  const { left, top, width, height } = boundsOf(model)
  const said = traffic && `${inDigits(traffic.conversations)} conversations`
  // Lines that many took are under those of few, which they would hide, and words are above all lines.
  const widthOf = ({ id }: GraphEdge) => traffic?.edges.get(id)?.width ?? 0
  const edges = [...model.edges].sort((one, other) => widthOf(other) - widthOf(one))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(name)}">`,
    `<title>${escapeXml(name)}</title>`,
    `<style>${style}</style>`,
    `<rect class="ground" x="${left}" y="${top}" width="${width}" height="${height}"/>`,
    `<text class="name" x="${left + margin}" y="${top + margin + 14}">${escapeXml(name)}</text>`,
    said && `<text class="soft" x="${left + margin}" y="${top + margin + 34}">${said}</text>`,
    ...edges.map((edge) => drawEdge(edge, model, traffic)),
    ...Array.from(model.nodes.values(), (node) => drawNode(node, traffic)),
    ...(traffic ? edges.map((edge) => drawShare(edge, model, traffic)) : []),
    '</svg>\n',
  ]
    .filter((line) => line)
    .join('\n')
}

function boundsOf(model: GraphModel) {
  const nodes = [...model.nodes.values()]
  const reaches = model.edges.flatMap((edge) => curveOf(edge, model)?.reach ?? [])
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.MAX_VALUE)
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Number.MAX_VALUE)
  if (nodes.length === 0) return { left: 0, top: 0, width: 400, height: heading + margin }
  const left = least([...nodes.map(({ x }) => x), ...reaches.map((reach) => reach.left)]) - margin
  const right = most([...nodes.map(({ x, width }) => x + width), ...reaches.map((reach) => reach.right)])
  const top = least(nodes.map(({ y }) => y)) - margin - heading
  const bottom = most(nodes.map(({ y, height }) => y + height))
  return { left, top, width: right + margin - left, height: bottom + margin - top }
}

function drawEdge(edge: GraphEdge, model: GraphModel, traffic: Traffic | undefined): string {
  const curve = curveOf(edge, model)
  if (!curve) return ''
  const { path, end } = curve
  const counted = traffic?.edges.get(edge.id)
  const state = counted ? 'edge taken' : traffic ? 'edge not-taken' : 'edge'
  const width = counted ? ` style="stroke-width:${counted.width.toFixed(1)}px"` : ''
  const tip = `M${end.x - 9} ${end.y - 5}L${end.x} ${end.y}L${end.x - 9} ${end.y + 5}Z`
  return `<g class="${state}"><path class="line" d="${path}"${width}/><path class="tip" d="${tip}"/></g>`
}

function drawShare(edge: GraphEdge, model: GraphModel, { edges }: Traffic): string {
  const counted = edges.get(edge.id)
  const middle = counted && curveOf(edge, model)?.middle
  if (!middle) return ''
  const half = 9 + counted.words.length * 3.5
  return `<g class="share" transform="translate(${middle.x} ${middle.y})"><rect x="${-half}" y="-10" width="${2 * half}" height="20" rx="10"/><text y="4.5">${escapeXml(counted.words)}</text></g>`
}

function drawNode(
  { kind, title, x, y, width, height, rows, hidden }: GraphNode,
  traffic: Traffic | undefined,
) {
  return [
    // A frame of its own cuts off what another font makes too long.
    `<svg class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${escapeXml(title)}</title>`,
    `<rect class="card" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="10"/>`,
    `<text class="title" x="14" y="23">${escapeXml(cutTo(width - 28, title))}</text>`,
    ...rows.map((row) => {
      const isBlock = row.kind === 'block'
      const found = isBlock ? traffic?.blocks.get(row.blockId) : undefined
      const marks = marksOf(found)
      const [from, middle] = [isBlock ? 14 : 30, row.y + row.height / 2 + 4.5]
      const words = cutTo(width - from - 12 - (marks.length + 1) * character, row.text)
      const kindOfRow = !isBlock ? 'soft' : row.text === row.type ? 'type' : ''
      const bar =
        isBlock && / input$|^cards$/.test(row.type)
          ? `<rect class="asks" x="5" y="${row.y + 5}" width="3" height="${row.height - 10}" rx="1.5"/>`
          : ''
      return `${bar}<text class="${kindOfRow}" x="${from}" y="${middle}">${escapeXml(words)}</text>${drawMarks(found, width - 12, middle)}`
    }),
    hidden > 0 ? `<text class="soft" x="14" y="${height - 12}">${hidden} more</text>` : '',
    '</svg>',
  ].join('')
}

function drawMarks(traffic: BlockTraffic | undefined, x: number, y: number): string {
  const marks = marksOf(traffic)
  if (marks === '') return ''
  return `<text class="marks${traffic?.left ? ' losing' : ''}" x="${x}" y="${y}">${escapeXml(marks)}</text>`
}

/** As much of a text as has room; letters of wide scripts take two places. */
function cutTo(width: number, text: string): string {
  const room = Math.floor(width / character)
  let taken = 0
  let kept = ''
  for (const letter of text) {
    taken +=
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(
        letter,
      )
        ? 2
        : 1
    if (taken > room) return `${kept.slice(0, -1)}…`
    kept += letter
  }
  return kept
}

/** Colours of the pages, light and dark by what shows the picture. */
const style = `
svg[role]{--paper:#fff;--ground:#f6f6f4;--ink:#1b1d21;--soft:#5b6068;--line:#c6c6c0;--accent:#1f5a8a;--on-accent:#fff;--bad:#b3261e;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
@media (prefers-color-scheme:dark){svg[role]{--paper:#1d2024;--ground:#131518;--ink:#eceef1;--soft:#a3a9b2;--line:#4a5058;--accent:#8fc1ea;--on-accent:#10222f;--bad:#ff9d94}}
text{fill:var(--ink);font-size:13px}
.ground{fill:var(--ground)}
.name{font-size:18px;font-weight:650}
.title{font-weight:650}
.soft{fill:var(--soft);font-size:12px}
.type{fill:var(--soft);font-style:italic}
.card{fill:var(--paper);stroke:var(--line);stroke-width:1.5}
.event .card{fill:var(--ground);stroke-dasharray:4 3}
.asks,.tip{fill:var(--accent)}
.tip{fill:var(--soft)}
.line{fill:none;stroke:var(--soft);stroke-width:1.5;opacity:.7}
.taken .line{stroke:var(--accent);opacity:.45}
.not-taken .line{stroke-dasharray:6 5}
.share rect{fill:var(--accent)}
.share text{fill:var(--on-accent);font-size:12px;font-weight:650;text-anchor:middle}
.marks{fill:var(--soft);font-weight:600;text-anchor:end}
.losing{fill:var(--bad)}
`
