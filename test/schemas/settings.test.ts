import { describe, expect, it } from 'vitest'
import { Settings } from '../../schemas/settings.ts'
import { problemsIn } from './problems-in.ts'

const complete: Settings = {
  general: {
    isBrandingEnabled: true,
    isTypingEmulationEnabled: true,
    isInputPrefillEnabled: true,
    isHideQueryParamsEnabled: false,
    isNewResultOnRefreshEnabled: false,
    rememberUser: { isEnabled: true, storage: 'local' },
    systemMessages: {
      invalidMessage: 'No',
      botClosed: 'Closed',
      networkErrorTitle: 'Net',
      networkErrorMessage: 'Gone',
      popupBlockedTitle: 'Blocked',
      popupBlockedDescription: 'A tab was blocked',
      popupBlockedButtonLabel: 'Open',
      fileUploadError: 'Failed',
      fileUploadSizeError: '[[file]] > [[limit]]',
      whatsAppPictureChoiceSelectLabel: 'Pick',
    },
  },
  typingEmulation: {
    enabled: false,
    speed: 300,
    maxDelay: 1.5,
    delayBetweenBubbles: 0.5,
    isDisabledOnFirstMessage: true,
  },
  metadata: {
    title: 'T',
    description: 'D',
    imageUrl: 'https://cdn.example/i.png',
    favIconUrl: 'https://cdn.example/f.ico',
    customHeadCode: '<script></script>',
    googleTagManagerId: 'GTM-1',
    allowIndexing: true,
  },
  whatsApp: {
    isEnabled: true,
    startCondition: {
      logicalOperator: 'OR',
      comparisons: [{ id: 'c1', comparisonOperator: 'Equal to', value: 'hi' }, { id: 'c2' }],
    },
    sessionExpiryTimeout: 0.5,
    isWebhookForwardingEnabled: true,
    errorAndMarketingStatusWebhookForwardUrl: 'https://hook.example',
    webhookForwardingEventTypes: ['all'],
  },
  publicShare: { isEnabled: true },
  security: { allowedOrigins: ['https://shop.example'] },
}

describe('settings', () => {
  it.each([
    ['nothing at all', {}],
    ['every field', complete],
    [
      'empty parts',
      { general: {}, typingEmulation: {}, metadata: {}, whatsApp: {}, publicShare: {}, security: {} },
    ],
    ['unknown keys at every level', { future: 1, general: { future: 1, rememberUser: { future: null } } }],
    [
      'the lower bounds',
      { typingEmulation: { delayBetweenBubbles: 0 }, whatsApp: { sessionExpiryTimeout: 0.01 } },
    ],
    [
      'the upper bounds',
      { typingEmulation: { delayBetweenBubbles: 5 }, whatsApp: { sessionExpiryTimeout: 48 } },
    ],
  ])('may hold %s', (_, settings) => {
    expect(problemsIn(Settings, settings)).toEqual([])
  })

  it.each([
    [{ general: { isBrandingEnabled: 'true' } }, '/general/isBrandingEnabled', 'must be boolean'],
    [
      { general: { rememberUser: { storage: 'cookie' } } },
      '/general/rememberUser/storage',
      'must be one of: session, local',
    ],
    [
      { general: { systemMessages: { botClosed: 1 } } },
      '/general/systemMessages/botClosed',
      'must be string',
    ],
    [{ typingEmulation: { speed: '400' } }, '/typingEmulation/speed', 'must be number'],
    [
      { typingEmulation: { delayBetweenBubbles: -0.1 } },
      '/typingEmulation/delayBetweenBubbles',
      'must be >= 0',
    ],
    [
      { typingEmulation: { delayBetweenBubbles: 5.1 } },
      '/typingEmulation/delayBetweenBubbles',
      'must be <= 5',
    ],
    [{ metadata: { title: null } }, '/metadata/title', 'must be string'],
    [{ whatsApp: { sessionExpiryTimeout: 0 } }, '/whatsApp/sessionExpiryTimeout', 'must be >= 0.01'],
    [{ whatsApp: { sessionExpiryTimeout: 49 } }, '/whatsApp/sessionExpiryTimeout', 'must be <= 48'],
    [
      { whatsApp: { startCondition: { logicalOperator: 'or' } } },
      '/whatsApp/startCondition/logicalOperator',
      'must be one of: AND, OR',
    ],
    [
      { whatsApp: { startCondition: { comparisons: [{}] } } },
      '/whatsApp/startCondition/comparisons/0',
      "must have required property 'id'",
    ],
    [{ security: { allowedOrigins: 'https://a.example' } }, '/security/allowedOrigins', 'must be array'],
    [{ publicShare: [] }, '/publicShare', 'must be object'],
    [null, '', 'must be object'],
  ])('%j is refused with one problem', (settings, pointer, message) => {
    expect(problemsIn(Settings, settings)).toEqual([{ pointer, message }])
  })
})
