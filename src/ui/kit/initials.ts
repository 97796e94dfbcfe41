/** The first letters of the first and the last word of a name. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map(part => [...part][0] ?? '')
    .filter((_letter, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase()
