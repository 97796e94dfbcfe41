/** What was thrown, as an error and as its code: JavaScript lets anything be thrown. */

/** The error itself, or one with the thrown value as its message. */
export const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown }))

/** The text in a field of what was thrown, such as the `code` of errors of Node and of the database. */
export function textIn(
  thrown: unknown,
  field: 'code' | 'message' | 'name' | 'syscall' | 'constraint' | 'command' | 'response',
): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !(field in thrown)) return undefined
  const value: unknown = Reflect.get(thrown, field)
  return typeof value === 'string' ? value : undefined
}
