/** Words for what a key of a program may do. */
import { areas } from '#features/company/users/permissions.labels.ts'

/** Each scope as the form of the key calls it, by area and level. */
export const rightsOf = (scopes: readonly string[], t: (text: string) => string): string[] =>
  areas.flatMap(({ title, levels }) => levels.filter(({ code }) => scopes.includes(code)).map(level => `${t(title)} · ${t(level.title)}`))
