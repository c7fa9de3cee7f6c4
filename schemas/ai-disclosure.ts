/** The sentence by which a conversation says that a machine answers, by language; that of `settings.general.words` replaces it. */
export const aiDisclosures: Readonly<Record<string, string>> = {
  en: 'You are chatting with an AI.',
  ar: 'أنت تتحدث مع ذكاء اصطناعي.',
  bn: 'আপনি একটি কৃত্রিম বুদ্ধিমত্তার সঙ্গে কথা বলছেন।',
  de: 'Sie schreiben mit einer KI.',
  es: 'Estás hablando con una IA.',
  fa: 'شما با یک هوش مصنوعی گفتگو می‌کنید.',
  fr: 'Vous parlez à une IA.',
  hi: 'आप एक कृत्रिम बुद्धिमत्ता से बात कर रहे हैं।',
  id: 'Anda sedang mengobrol dengan AI.',
  it: 'Stai parlando con un’IA.',
  ja: 'AIがお答えしています。',
  ko: 'AI와 대화하고 있습니다.',
  nl: 'U chat met een AI.',
  pl: 'Rozmawiasz ze sztuczną inteligencją.',
  pt: 'Você está falando com uma IA.',
  ru: 'Вы общаетесь с искусственным интеллектом.',
  tr: 'Bir yapay zekâ ile yazışıyorsunuz.',
  ur: 'آپ ایک مصنوعی ذہانت سے بات کر رہے ہیں۔',
  vi: 'Bạn đang trò chuyện với AI.',
  zh: '您正在与人工智能对话。',
}

/** By the main part of a language tag; English for what there is no sentence in. */
export function aiDisclosureIn(language: string | undefined): string {
  const [primary = ''] = (language ?? '').toLowerCase().split('-')
  const sentence = Object.hasOwn(aiDisclosures, primary) ? aiDisclosures[primary] : undefined
  return sentence ?? (aiDisclosures['en'] as string)
}
