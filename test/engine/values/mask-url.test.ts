import { describe, expect, it } from 'vitest'
import { maskUrl } from '../../../src/engine/values/mask-url.ts'

describe('maskUrl', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/h?q=1&r=2#f', 'https://a.example/h?q=1&r=2#f'],
    ['https://a.example/h?api_key=s', 'https://a.example/h?api_key=***'],
    [
      'https://a.example/h?X-Amz-Signature=s&sig=s&signal=s',
      'https://a.example/h?X-Amz-Signature=***&sig=***&signal=s',
    ],
    [
      'https://a.example/h?access_token=a=b&password=&pwd',
      'https://a.example/h?access_token=***&password=***&pwd',
    ],
    [
      'https://a.example/h?client_secret=s#secret?token=t',
      'https://a.example/h?client_secret=***#secret?token=t',
    ],
    ['https://a.example/h?a=1?token=s&token=s', 'https://a.example/h?a=1?token=s&token=***'],
    ['https://user:s@a.example/h?q=1', 'https://a.example/h?q=1'],
    ['https:user:s@a.example/h', 'https://a.example/h'],
    ['https://user:s@a b/h', 'a b/h'],
    [
      'https://a.example/h?auth=s&pass=s&bearer=s&credentials=s',
      'https://a.example/h?auth=***&pass=***&bearer=***&credentials=***',
    ],
    ['https://a.example/h?to%6ben=s&%50WD=s&%zz=s', 'https://a.example/h?to%6ben=***&%50WD=***&%zz=s'],
    ['', ''],
  ])('tells %s as %s', (url, told) => {
    expect(maskUrl(url)).toBe(told)
  })
})
