/** The least that an announcement and a campaign need. */
export const announcement = {
  ...{ mode: 'info' as const, everyone: true, from_at: '2026-11-02T07:00:00.000Z' },
  texts: { en_GB: { title: 'Forklifts', body: 'One way only' } },
}
export const campaign = {
  ...{ title: 'Summer', from_at: '2026-11-02T07:00:00.000Z', stages: ['packed' as const], locales: ['en_GB' as const] },
  contents: { en_GB: { a: { headline: 'Sale', text: '', button: '', alt: 'A lamp' } } },
}
