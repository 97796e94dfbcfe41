/** Written into the program by the build. */
declare const __VERSION__: string
declare const __BUILD__: string
