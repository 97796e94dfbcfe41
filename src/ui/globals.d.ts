/** Written into the program by the build. */
declare const __VERSION__: string
declare const __BUILD__: string
/** The hash of each language's words. */
declare const __WORDS__: Readonly<Record<string, string>>
