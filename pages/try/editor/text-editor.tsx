import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { EditorState, StateEffect, StateField, type Text } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Finding } from '../../../client/client.ts'
import type { Form } from '../state/draft.ts'
import { pointersIn, type TextRange } from './find-pointer.ts'
import { proposeInFlow } from './propose-in-flow.ts'
import { findSyntaxErrors } from './syntax-errors.ts'
import { yaml } from './yaml-language.ts'

export interface TextEditorProps {
  /** Stays the same for an editor. */
  readonly form: Form
  readonly text: string
  readonly onChange: (text: string) => void
  readonly findings: readonly Finding[]
  /** The JSON pointer of what is to be seen. */
  readonly reveal?: string | undefined
  /** `line:column` of YAML that a pointer leads to. */
  readonly placeOf: (pointer: string) => string | undefined
  /** Allows the style sheets that the editor makes. */
  readonly cspNonce?: string | undefined
}

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--soft-ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8rem', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '-3px' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--soft-ink)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', color: 'var(--ink)', border: '1px solid var(--line)' },
})

const setFindings = StateEffect.define<readonly Finding[]>()

/** What the service found in a text that may have become another one since. */
const findingsField = StateField.define<readonly Finding[]>({
  create: () => [],
  update: (findings, { effects }) => effects.find((effect) => effect.is(setFindings))?.value ?? findings,
})

const refresh = {
  needsRefresh: ({ startState, state }: ViewUpdate) =>
    startState.field(findingsField) !== state.field(findingsField),
}

/** The text of a flow, with what is wrong at its place. */
export function TextEditor(props: TextEditorProps) {
  const { form, text, findings, reveal, placeOf } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | undefined>(undefined)
  useLayoutEffect(() => {
    if (!host.current) return undefined
    const view = new EditorView({ parent: host.current, state: stateOf(props) })
    editor.current = view
    return () => view.destroy()
  }, [])
  // At once: what was typed a frame ago would be taken for a text from outside, and the two replace each other for ever.
  useLayoutEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === text) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    const view = editor.current
    view?.dispatch({ effects: setFindings.of(findings) })
    if (view) forceLinting(view)
  }, [findings])
  useEffect(() => {
    const view = editor.current
    const { doc } = view?.state ?? {}
    if (!view || !doc || reveal === undefined) return
    const from = form === 'yaml' ? offsetOf(doc, placeOf(reveal)) : pointersIn(doc.toString())(reveal)?.from
    if (from === undefined) return
    const effects = EditorView.scrollIntoView(from, { y: 'start', yMargin: 40 })
    view.dispatch({ selection: { anchor: from }, effects })
  }, [reveal])
  return <div class="editor" ref={host} />
}

function stateOf({ form, text, onChange, cspNonce = '' }: TextEditorProps): EditorState {
  const isYaml = form === 'yaml'
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      foldGutter(),
      findingsField,
      linter(({ state }) => (isYaml ? marksOf(state) : diagnosticsOf(state)), refresh),
      lintGutter(),
      closeBrackets(),
      isYaml ? [] : autocompletion({ override: [proposeInFlow] }),
      history(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      isYaml ? yaml : json(),
      syntaxHighlighting(colors),
      look,
      // Tab leaves the editor, for who has no mouse.
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...lintKeymap,
      ]),
      EditorView.cspNonce.of(cspNonce),
      EditorView.contentAttributes.of({ 'aria-label': `The flow as ${form.toUpperCase()}`, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString())
      }),
    ],
  })
}

function diagnosticsOf(state: EditorState): Diagnostic[] {
  const errors = findSyntaxErrors(state.doc.toString())
  // Findings about the text before have no places in a text that is no JSON.
  if (errors.length > 0) return errors.map((error) => ({ ...error, severity: 'error' }))
  return marksOf(state, pointersIn(state.doc.toString()))
}

/** Findings at their lines, or where their pointers lead to. */
function marksOf(state: EditorState, placeOf?: ReturnType<typeof pointersIn>): Diagnostic[] {
  return state.field(findingsField).flatMap((finding) => {
    const { range, pointer, severity, message, hint, code } = finding
    const place = range ? rangeIn(state.doc, range) : placeOf?.(pointer)
    if (!place) return []
    return [
      { ...place, severity, message: hint === undefined ? message : `${message} ${hint}`, source: code },
    ]
  })
}

function offsetOf(text: Text, place: string | undefined): number | undefined {
  const [line = 0, column = 1] = (place ?? '').split(':').map(Number)
  const start = { line: line - 1, character: column - 1 }
  return line > 0 ? rangeIn(text, { start, end: start })?.from : undefined
}

/** The text may have become another one since it was checked. */
function rangeIn(text: Text, { start, end }: NonNullable<Finding['range']>): TextRange | undefined {
  const at = ({ line, character }: typeof start) => {
    if (line >= text.lines) return text.length
    const { from, to } = text.line(line + 1)
    return Math.min(from + character, to)
  }
  const [from, to] = [at(start), at(end)]
  return from <= to ? { from, to } : undefined
}
