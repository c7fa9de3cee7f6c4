import { describe, expect, it } from 'vitest'
import { UserMessage } from '../../schemas/user-message.ts'
import { problemsIn } from './problems-in.ts'

describe('what a visitor says', () => {
  it.each([
    'hi',
    '',
    { type: 'text', text: 'hi' },
    {
      type: 'text',
      text: '',
      attachedFileUrls: ['https://f.example/a.png'],
      metadata: { replyId: 'i1' },
      future: 1,
    },
    { type: 'text', text: 'hi', metadata: {} },
    { type: 'audio', url: 'https://f.example/a.mp3' },
    { type: 'command', command: 'reset' },
  ])('may be %j', (message) => {
    expect(problemsIn(UserMessage, message)).toEqual([])
  })

  it.each([
    [null, '', 'must be string,object'],
    [7, '', 'must be string,object'],
    [['hi'], '', 'must be string,object'],
    [{}, '', "must have required property 'type'"],
    [{ type: 7, text: 'hi' }, '/type', 'must be string'],
    [{ type: 'image', text: 'hi' }, '/type', 'must be one of: text, audio, command'],
    [{ type: 'text' }, '', "must have required property 'text'"],
    [{ type: 'text', text: 7 }, '/text', 'must be string'],
    [{ type: 'text', text: 'a', attachedFileUrls: 'b' }, '/attachedFileUrls', 'must be array'],
    [{ type: 'text', text: 'a', attachedFileUrls: [null] }, '/attachedFileUrls/0', 'must be string'],
    [{ type: 'text', text: 'a', metadata: { replyId: 1 } }, '/metadata/replyId', 'must be string'],
    [{ type: 'audio', text: 'hi' }, '', "must have required property 'url'"],
    [{ type: 'command', command: null }, '/command', 'must be string'],
  ])('%j is refused with one problem', (message, pointer, text) => {
    expect(problemsIn(UserMessage, message)).toEqual([{ pointer, message: text }])
  })
})
