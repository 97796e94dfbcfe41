/** What the export of a company leaves out: secrets, and what is made anew from other tables. Every other table with rows of companies is exported. */

const signIn = 'what people sign in with'
const sealed = 'secrets, which are never shown again'
const derived = 'made anew from other tables'

export const unexportedTables: Readonly<Record<string, string>> = {
  calendar_links: signIn,
  password_links: signIn,
  sessions: signIn,
  sign_in_challenges: signIn,
  user_badges: signIn,
  user_passkeys: signIn,
  user_pins: signIn,
  user_totp: signIn,
  employee_cpr: sealed,
  retired_secrets: sealed,
  secrets: sealed,
  customer_words: derived,
  file_sizes: derived,
  invoice_queue_counts: derived,
  order_count_changes: derived,
  order_count_checks: derived,
  deadline_counts: derived,
  order_counts: derived,
  order_words: derived,
  company_exports: 'exports themselves',
}

/** Bytes that are no secret: the file that was handed to the payroll system. */
const plainBytes: readonly string[] = ['pay_exports.content']

/** Whether a column holds a secret or what a secret could be guessed from. */
export const isSecretColumn = (table: string, { name, type }: { name: string; type: string }): boolean =>
  (type.startsWith('bytea') && !plainBytes.includes(`${table}.${name}`)) || /(^|_)(hash|secret|password|token|sealed)(_|$)/.test(name)

/** A name of a file within the archive: its id makes it unique, and no program leaves the folder with it. */
export function archiveName(id: number, name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, 100)
  return `files/${id}-${safe || 'file'}`
}

/** Media that take no less space when they are compressed again. */
export const isCompressed = (media_type: string): boolean => !/^text\/|json|xml|svg/.test(media_type)

/** Films are listed and not copied: they are by far the largest part, and end within days. */
export const isFilm = (media_type: string): boolean => media_type.startsWith('video/')
