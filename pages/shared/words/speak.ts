import { batch, signal } from '@preact/signals'
import type { Settings } from '../../../client/client.ts'
import { words as english, type Words } from './en.ts'

/** The languages beside English that the page has words of: each is loaded when it is spoken. */
const languages: Readonly<Record<string, () => Promise<{ readonly words: Words }>>> = {
  ar: () => import('./ar.ts'),
  bn: () => import('./bn.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fa: () => import('./fa.ts'),
  fr: () => import('./fr.ts'),
  hi: () => import('./hi.ts'),
  id: () => import('./id.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  ru: () => import('./ru.ts'),
  tr: () => import('./tr.ts'),
  ur: () => import('./ur.ts'),
  vi: () => import('./vi.ts'),
  zh: () => import('./zh.ts'),
}

/** The page's words in the language that it speaks. */
export const words = signal<Words>(english)

/** That language, as a tag (BCP 47), and where its lines begin. */
export const spoken = signal<{ readonly language: string; readonly direction: 'ltr' | 'rtl' }>({
  language: 'en',
  direction: 'ltr',
})

/** Text with values for what stands in braces. */
export const fillIn = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

/** Language of the document: the service names that of the flow there, and none where it knows none. */
const ofDocument = globalThis.document?.documentElement.lang

let calls = 0

/**
 * Speaks the language of a flow, as far as there are words of it, with those that the flow has instead. Without one, the
 * language of the document, else the first that the browser prefers and there are words of.
 */
export async function speak({ general }: Settings): Promise<void> {
  calls += 1
  const call = calls
  const language = general?.language || ofDocument || navigator.languages.find(hasWords) || 'en'
  // What is missing, or can not be loaded, is said in English.
  const { words: own = english } = (await languages[primaryOf(language)]?.().catch(() => undefined)) ?? {}
  if (call !== calls) return
  batch(() => {
    words.value = { ...own, ...general?.words }
    spoken.value = { language, direction: directionOf(language) }
  })
}

const primaryOf = (language: string) => language.toLowerCase().split('-')[0] ?? ''

const hasWords = (language: string) => primaryOf(language) === 'en' || primaryOf(language) in languages

const fromTheRight = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'])

function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return fromTheRight.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    // Flows may name what is no language.
    return 'ltr'
  }
}
