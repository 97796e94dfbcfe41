/** Packed by `scripts/public-pages.ts`. */
declare module 'virtual:tracking-words/*' {
  /** English sentence → sentence of the language. */
  export const words: Record<string, string>
}
declare module 'virtual:answer-words/*' {
  /** English sentence → sentence of the language. */
  export const words: Record<string, string>
}
declare module 'virtual:return-portal-words/*' {
  /** English sentence → sentence of the language. */
  export const words: Record<string, string>
}
