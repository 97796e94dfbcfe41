/** Prints a plan on A4 that lies on its side: names and times only, from a frame that the page does not show. */

const look = `
  @page { size: A4 landscape; margin: 10mm }
  body { font: 11px sans-serif; color: black }
  table { width: 100%; border-collapse: collapse }
  thead { display: table-header-group }
  tr { break-inside: avoid }
  th, td { border: 1px solid gray; padding: 3px 5px; text-align: left; vertical-align: top; white-space: pre-line }
`

export function printPlan(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const frame = document.createElement('iframe')
  // Firefox prints nothing of a frame that is not laid out.
  Object.assign(frame.style, { position: 'fixed', width: '0', height: '0', border: '0' })
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  document.body.append(frame)
  const page = frame.contentDocument
  const view = page?.defaultView
  if (!view || !page) {
    frame.remove()
    return
  }
  // A sheet that is made by the program needs no exception in the content security policy.
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(look)
  page.adoptedStyleSheets = [sheet]
  page.title = title
  const heading = page.createElement('h1')
  heading.textContent = title
  const table = page.createElement('table')
  const line = (cells: readonly string[], kind: 'th' | 'td') => {
    const row = page.createElement('tr')
    row.append(
      ...cells.map(text => {
        const cell = page.createElement(kind)
        cell.textContent = text
        return cell
      }),
    )
    return row
  }
  const head = table.createTHead()
  head.append(line(header, 'th'))
  table.createTBody().append(...rows.map(row => line(row, 'td')))
  page.body.append(heading, table)
  view.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}
