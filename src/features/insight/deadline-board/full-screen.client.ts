/** The board without the frame of the browser. */

export const hasFullScreen = (): boolean => document.fullscreenEnabled

/** Fills the screen, or gives it back. A browser refuses it without a key or a click: then the page stays as it is. */
export function turnFullScreen(): void {
  const turned = document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  turned.catch(() => undefined)
}
