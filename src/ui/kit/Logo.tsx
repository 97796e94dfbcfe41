/** The mark: a gabled front whose shutters are the bars of a barcode. One colour, the text's own. */

/** On a grid of 16, so that every bar stands on whole pixels in the smallest icon. */
const front = 'M8 0 15 5.5V16H1V5.5zM7 3.25v1.75h2V3.25zM3 7v7h1V7zm2 0v7h2V7zm3 0v7h1V7zm2 0v7h1V7zm2 0v7h1V7z'

export function Logo({ size = 24, label }: { size?: number; label?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: without a label it is decoration and hidden
    <svg width={size} height={size} viewBox="0 0 16 16" fill="currentColor" fillRule="evenodd" role="img" aria-hidden={label === undefined}>
      {label === undefined ? null : <title>{label}</title>}
      <path d={front} />
    </svg>
  )
}
