/** Named periods: weeks begin on Monday, and no period is in the future. */

export const periods = ['today', 'yesterday', 'this_week', 'last_week', 'this_month', 'last_month', 'own'] as const
export type PeriodName = (typeof periods)[number]

const day = 86_400_000
const iso = (at: number) => new Date(at).toISOString().slice(0, 10)

/** First and last day of a named period, seen from `today` (a calendar day). */
export function periodOf(name: Exclude<PeriodName, 'own'>, today: string): { from: string; to: string } {
  const now = Date.parse(today)
  const monday = now - ((new Date(now).getUTCDay() + 6) % 7) * day
  const first = Date.parse(`${today.slice(0, 7)}-01`)
  switch (name) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: iso(now - day), to: iso(now - day) }
    case 'this_week':
      return { from: iso(monday), to: today }
    case 'last_week':
      return { from: iso(monday - 7 * day), to: iso(monday - day) }
    case 'this_month':
      return { from: iso(first), to: today }
    case 'last_month':
      return { from: `${iso(first - day).slice(0, 7)}-01`, to: iso(first - day) }
  }
}
