import { describe, expect, it } from 'vitest'
import { isSafeAddress, safeAddress } from '../../../src/engine/templates/url-policy.ts'

const harmful = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'java\tscript:alert(1)',
  'java\r\nscript:alert(1)',
  'javascript\t:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  'javascript\\:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:,x',
  'data:text/html;image/png,x',
  'data:image/png',
  'data:image/svg+xml,<svg/>',
  'DATA:\timage/S\nVG;charset=utf-8,x',
  'data:image/x&#109;l;a,b',
  'data:image/any+xml,x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'filesystem:https://a.example/1',
  'view-source:https://a.example',
  'ms-settings:privacy',
  'intent://a#Intent;end',
]

const harmless = [
  '',
  'https://a.example/x?y=javascript:1#z',
  'HTTP://a.example',
  '//a.example/x',
  '/x:y',
  './a:b',
  'a/b:c',
  '?q=a:b',
  '#a:b',
  'page.html',
  'a.example/x?a=1&copy=2&amp;=3',
  'mailto:ada@a.example?subject=Hi&body=Bye',
  'tel:+442079460018',
  'sms:+1',
  'whatsapp://send?text=Hi',
  'about:blank',
  '🤖',
  '#ffffff',
  'rgb(1, 2, 3)',
  'url(data:image/png;base64,AAAA)',
  '{{Later}}/x',
  '1:2',
]

describe('an address', () => {
  it.each(harmful)('is not sent when it is %j', (address) => {
    expect([isSafeAddress(address, 'link'), isSafeAddress(address, 'media')]).toEqual([false, false])
  })

  it.each(harmless)('is sent when it is %j', (address) => {
    expect([isSafeAddress(address, 'link'), isSafeAddress(address, 'media')]).toEqual([true, true])
  })

  it.each([
    'data:image/png;base64,AAAA',
    'DATA: image/webp;base64,AA',
    'data:audio/mpeg;base64,AA',
    'data:video/mp4,x',
  ])('may be shown, not followed, when it is %j', (address) => {
    expect([isSafeAddress(address, 'link'), isSafeAddress(address, 'media')]).toEqual([false, true])
  })

  it('is reported to the author when it is left out', () => {
    const logs: unknown[] = []
    const log = (entry: unknown) => void logs.push(entry)
    expect(safeAddress('https://a.example', 'link', { log })).toBe('https://a.example')
    expect(logs).toEqual([])
    expect(safeAddress('javascript:alert(1)', 'link', { log })).toBe('')
    expect(logs).toMatchObject([{ status: 'error', details: 'javascript:alert(1)' }])
  })
})
