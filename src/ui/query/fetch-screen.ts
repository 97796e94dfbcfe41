/** Begins to fetch the code of the screen at a path; whoever shows it waits for the same fetch. */
import { screens } from '#app/screens.ts'
import { screenAt } from '#ui/shell/navigation.ts'

export function fetchScreen(path: string): void {
  // What fails here fails again, and is told, where the screen is shown.
  void screenAt(path, screens)
    ?.screen?.()
    .catch(() => undefined)
}
