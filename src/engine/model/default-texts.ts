/** Texts for visitors that the service says where a flow has none of its own. */
export interface DefaultTexts {
  /** A reply that an input refuses. */
  readonly invalid: string
  /** A reply that is no e-mail address. */
  readonly email: string
  /** A payment that its provider does not confirm. */
  readonly payment: string
  /** A flow that is closed. */
  readonly closed: string
}

const english: DefaultTexts = {
  invalid: 'Invalid message. Please, try again.',
  email: 'That does not look like an e-mail address. Please try again.',
  payment: 'Payment failed. Please, try again.',
  closed: 'This bot is now closed',
}

const byLanguage: ReadonlyMap<string, DefaultTexts> = new Map(
  Object.entries({
    ar: {
      invalid: 'رسالة غير صالحة. يُرجى المحاولة مرة أخرى.',
      email: 'لا يبدو هذا عنوان بريد إلكتروني. يُرجى المحاولة مرة أخرى.',
      payment: 'تعذّر إتمام الدفع. يُرجى المحاولة مرة أخرى.',
      closed: 'هذه المحادثة مغلقة الآن',
    },
    bn: {
      invalid: 'বার্তাটি সঠিক নয়। অনুগ্রহ করে আবার চেষ্টা করুন।',
      email: 'এটি ইমেল ঠিকানা বলে মনে হচ্ছে না। অনুগ্রহ করে আবার চেষ্টা করুন।',
      payment: 'পেমেন্ট ব্যর্থ হয়েছে। অনুগ্রহ করে আবার চেষ্টা করুন।',
      closed: 'এই কথোপকথন এখন বন্ধ আছে',
    },
    de: {
      invalid: 'Diese Antwort passt hier nicht. Bitte versuchen Sie es noch einmal.',
      email: 'Das sieht nicht nach einer E-Mail-Adresse aus. Bitte versuchen Sie es noch einmal.',
      payment: 'Die Zahlung ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.',
      closed: 'Dieser Chat ist jetzt geschlossen',
    },
    es: {
      invalid: 'Mensaje no válido. Inténtelo de nuevo, por favor.',
      email: 'Eso no parece una dirección de correo electrónico. Inténtelo de nuevo, por favor.',
      payment: 'El pago no se ha podido realizar. Inténtelo de nuevo, por favor.',
      closed: 'Este chat está cerrado',
    },
    fa: {
      invalid: 'پیام نامعتبر است. لطفاً دوباره تلاش کنید.',
      email: 'این شبیه نشانی ایمیل نیست. لطفاً دوباره تلاش کنید.',
      payment: 'پرداخت انجام نشد. لطفاً دوباره تلاش کنید.',
      closed: 'این گفتگو اکنون بسته است',
    },
    fr: {
      invalid: 'Message non valide. Veuillez réessayer.',
      email: 'Cela ne ressemble pas à une adresse e-mail. Veuillez réessayer.',
      payment: 'Le paiement a échoué. Veuillez réessayer.',
      closed: 'Cette conversation est maintenant fermée',
    },
    hi: {
      invalid: 'संदेश मान्य नहीं है। कृपया फिर से प्रयास करें।',
      email: 'यह ईमेल पता नहीं लगता। कृपया फिर से प्रयास करें।',
      payment: 'भुगतान नहीं हो सका। कृपया फिर से प्रयास करें।',
      closed: 'यह बातचीत अब बंद है',
    },
    id: {
      invalid: 'Pesan tidak valid. Silakan coba lagi.',
      email: 'Itu tidak tampak seperti alamat email. Silakan coba lagi.',
      payment: 'Pembayaran gagal. Silakan coba lagi.',
      closed: 'Percakapan ini sekarang ditutup',
    },
    it: {
      invalid: 'Messaggio non valido. La preghiamo di riprovare.',
      email: 'Non sembra un indirizzo e-mail. La preghiamo di riprovare.',
      payment: 'Il pagamento non è riuscito. La preghiamo di riprovare.',
      closed: 'Questa chat è chiusa',
    },
    ja: {
      invalid: '入力内容が正しくありません。もう一度お試しください。',
      email: 'メールアドレスの形式ではないようです。もう一度お試しください。',
      payment: 'お支払いを完了できませんでした。もう一度お試しください。',
      closed: 'このチャットは現在終了しています',
    },
    ko: {
      invalid: '올바르지 않은 메시지입니다. 다시 시도해 주세요.',
      email: '이메일 주소가 아닌 것 같습니다. 다시 시도해 주세요.',
      payment: '결제에 실패했습니다. 다시 시도해 주세요.',
      closed: '이 대화는 현재 종료되었습니다',
    },
    nl: {
      invalid: 'Dit antwoord is niet geldig. Probeer het opnieuw.',
      email: 'Dat lijkt geen e-mailadres te zijn. Probeer het opnieuw.',
      payment: 'De betaling is mislukt. Probeer het opnieuw.',
      closed: 'Deze chat is nu gesloten',
    },
    pl: {
      invalid: 'Nieprawidłowa wiadomość. Proszę spróbować ponownie.',
      email: 'To nie wygląda na adres e-mail. Proszę spróbować ponownie.',
      payment: 'Płatność nie powiodła się. Proszę spróbować ponownie.',
      closed: 'Ten czat jest teraz zamknięty',
    },
    pt: {
      invalid: 'Mensagem inválida. Por favor, tente novamente.',
      email: 'Isso não parece um endereço de e-mail. Por favor, tente novamente.',
      payment: 'O pagamento falhou. Por favor, tente novamente.',
      closed: 'Este chat está encerrado',
    },
    ru: {
      invalid: 'Недопустимое сообщение. Пожалуйста, попробуйте ещё раз.',
      email: 'Это не похоже на адрес электронной почты. Пожалуйста, попробуйте ещё раз.',
      payment: 'Оплата не прошла. Пожалуйста, попробуйте ещё раз.',
      closed: 'Этот чат сейчас закрыт',
    },
    tr: {
      invalid: 'Geçersiz mesaj. Lütfen tekrar deneyin.',
      email: 'Bu bir e-posta adresine benzemiyor. Lütfen tekrar deneyin.',
      payment: 'Ödeme yapılamadı. Lütfen tekrar deneyin.',
      closed: 'Bu sohbet şu anda kapalı',
    },
    ur: {
      invalid: 'پیغام درست نہیں ہے۔ براہِ کرم دوبارہ کوشش کریں۔',
      email: 'یہ ای میل پتہ نہیں لگتا۔ براہِ کرم دوبارہ کوشش کریں۔',
      payment: 'ادائیگی نہیں ہو سکی۔ براہِ کرم دوبارہ کوشش کریں۔',
      closed: 'یہ گفتگو اب بند ہے',
    },
    vi: {
      invalid: 'Tin nhắn không hợp lệ. Vui lòng thử lại.',
      email: 'Đây có vẻ không phải là địa chỉ email. Vui lòng thử lại.',
      payment: 'Thanh toán không thành công. Vui lòng thử lại.',
      closed: 'Cuộc trò chuyện này hiện đã đóng',
    },
    zh: {
      invalid: '消息无效，请重试。',
      email: '这似乎不是电子邮件地址，请重试。',
      payment: '支付失败，请重试。',
      closed: '此对话现已关闭',
    },
  }),
)

/** The texts in a language, named by its tag; in English where there are none of it, and without a language. */
export function defaultTexts(language: string | undefined): DefaultTexts {
  return byLanguage.get(language?.toLowerCase().split('-')[0] ?? '') ?? english
}
