/** Packed by `scripts/tracking-page.ts`. */
declare module 'virtual:tracking-words/*' {
  /** English sentence → sentence of the language. */
  export const words: Record<string, string>
}
