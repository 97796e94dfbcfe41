/** Which browser and system a user agent names. */

/** `Firefox, Windows`: product names, the same in every language. */
export function browserOf(agent: string | null): string | null {
  if (!agent) return null
  const browser = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
    ['curl/', 'curl'],
  ].find(([mark = '']) => agent.includes(mark))?.[1]
  const system = [
    ['Windows', 'Windows'],
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Macintosh', 'macOS'],
    ['Linux', 'Linux'],
  ].find(([mark = '']) => agent.includes(mark))?.[1]
  const names = [browser, system].filter(name => name !== undefined)
  return names.length > 0 ? names.join(', ') : null
}
