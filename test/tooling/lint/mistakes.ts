/** What is wrong in each flow, with the line that an author has to look at. */
export const mistakes: Readonly<Record<string, readonly (readonly [code: string, line: number])[]>> = {
  'age-check.json': [['condition-without-else', 49]],
  'campaign.json': [
    ['code-needs-browser', 31],
    ['code-writes-unknown', 31],
  ],
  'course-sale.json': [['unreachable-group', 66]],
  'delivery-status.json': [['ignored-bubble-edge', 40]],
  'feedback.json': [['way-out-missing', 50]],
  'gallery.json': [
    ['empty-bubble', 41],
    ['empty-bubble', 48],
  ],
  'help-centre.json': [['link-missing', 68]],
  'lead-to-crm.json': [['secret-in-flow', 61]],
  'newsletter-sign-up.json': [['dangling-edge', 53]],
  'opening-hours.json': [['endless-loop', 25]],
  'plan-finder.json': [['never-true', 68]],
  'raffle.json': [['broken-placeholder', 57]],
  'reason-for-contact.json': [['value-never-offered', 71]],
  'recipe-bot.json': [
    ['model-missing', 51],
    ['unsafe-address', 93],
  ],
  'retries.json': [['hot-loop', 41]],
  'return-of-goods.json': [['jump-target-missing', 107]],
  'skin-types.json': [['unknown-variable', 57]],
  'stock-check.json': [
    ['bad-url', 55],
    ['body-not-json', 56],
  ],
  'support-desk.json': [['event-without-effect', 35]],
  'survey.json': [
    ['duplicate-choice', 53],
    ['bad-range', 85],
  ],
  'table-booking.json': [['missing-group', 87]],
  'toppings.json': [
    ['unknown-key', 60],
    ['unreachable-block', 70],
  ],
}

/** All that follows in each of them, as an editor exports it. */
export const exportedWith = {
  theme: { general: { font: { type: 'Google', family: 'Open Sans' } } },
  selectedThemeTemplateId: null,
  settings: { general: { isBrandingEnabled: false } },
  createdAt: '2026-03-02T09:11:27.614Z',
  updatedAt: '2026-03-04T16:40:02.100Z',
  icon: null,
  folderId: null,
  publicId: null,
  customDomain: null,
  workspaceId: 'cl8workspace',
  resultsTablePreferences: null,
  isArchived: false,
  isClosed: false,
  whatsAppCredentialsId: null,
  riskLevel: null,
}
