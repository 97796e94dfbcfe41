/** The body of a mail, as HTML and as plain text: a company's name, paragraphs, and one link at most. */
import type { Locale } from '#contract/limits.ts'

export interface MailText {
  locale: Locale
  company: string
  subject: string
  paragraphs: readonly string[]
  link?: { label: string; url: string }
  /** Said in small type at the end. */
  closing: string
}

const mailLanguage = (locale: Locale): string => (locale === 'no_NO' ? 'nb' : locale.slice(0, 2))

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)

/** No images and no styles from elsewhere: the mail reads the same where both are blocked, and to a screen reader. */
export function writeMail({ locale, company, subject, paragraphs, link, closing }: MailText) {
  const language = mailLanguage(locale)
  const text = [company, ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), closing].join('\n\n')
  const paragraph = (inner: string, style = '') => `<p style="margin:0 0 16px;${style}">${inner}</p>`
  const button =
    link &&
    paragraph(
      `<a href="${escaped(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#14597a;color:#ffffff;text-decoration:none;font-weight:bold">${escaped(link.label)}</a>`,
    ) + paragraph(escaped(link.url), 'font-size:14px;word-break:break-all')
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b2228;background:#ffffff">
<main style="max-width:560px">
<h1 style="margin:0 0 16px;font-size:20px">${escaped(company)}</h1>
${[...paragraphs.map(one => paragraph(escaped(one))), button ?? ''].filter(Boolean).join('\n')}
${paragraph(escaped(closing), 'font-size:14px;color:#5b6670')}
</main>
</body>
</html>
`
  return { subject, text, html, language }
}
