import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { words as english, type Words } from '../../pages/shared/words/en.ts'
import { speak, spoken, words } from '../../pages/shared/words/speak.ts'
import { aiDisclosures } from '../../schemas/ai-disclosure.ts'
import { defaultTexts } from '../../src/engine/model/default-texts.ts'

const languages = readdirSync(join(import.meta.dirname, '../../pages/shared/words'))
  .map((name) => name.replace('.ts', ''))
  .filter((name) => name.length === 2 && name !== 'en')

const placeholders = (text: string) => text.match(/\{\w+\}/g)?.sort()

describe('the words of the page', () => {
  it('come in nineteen languages beside English', () => expect(languages).toHaveLength(19))

  it.each(languages)(
    'in %s are whole, with the same places to fill in, and none of them English',
    async (language) => {
      await speak({ general: { language: `${language}-XX` } })
      const own = words.value
      expect(Object.keys(own)).toEqual(Object.keys(english))
      expect(own.aiDisclosure).toBe(aiDisclosures[language])
      const names = Object.keys(english) as (keyof Words)[]
      for (const name of names) {
        expect(own[name].trim(), name).not.toBe('')
        expect(placeholders(own[name]), name).toEqual(placeholders(english[name]))
      }
      const sentences = names.filter((name) => english[name].split(' ').length > 2)
      expect(sentences.filter((name) => own[name] === english[name])).toEqual([])
      expect(spoken.value).toEqual({
        language: `${language}-XX`,
        direction: ['ar', 'fa', 'ur'].includes(language) ? 'rtl' : 'ltr',
      })
      expect(defaultTexts(language)).not.toBe(defaultTexts('en'))
    },
  )

  it('are those of a flow where it has its own, and English where there are none', async () => {
    await speak({ general: { language: 'he', words: { send: 'שליחה' } } })
    expect(words.value).toEqual({ ...english, send: 'שליחה' })
    expect(spoken.value).toEqual({ language: 'he', direction: 'rtl' })
  })

  it('are in the language that the browser likes best of those, where a flow names none', async () => {
    vi.stubGlobal('navigator', { languages: ['sv-SE', 'fr-CA', 'de'] })
    await speak({})
    expect(words.value.send).toBe('Envoyer')
    vi.stubGlobal('navigator', { languages: ['sv-SE'] })
    await speak({})
    expect(words.value).toEqual(english)
    expect(spoken.value.language).toBe('en')
    vi.unstubAllGlobals()
  })

  it('are those of the language that was asked for last, whichever is there first', async () => {
    await Promise.all([speak({ general: { language: 'de' } }), speak({ general: { language: 'en' } })])
    expect(words.value).toEqual(english)
  })
})
