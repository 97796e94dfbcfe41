/** In a loud hall a phone is felt, not heard. A browser lets nothing vibrate before somebody has touched the page, and complains. */
export function vibrate(pattern: number | number[]): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}
