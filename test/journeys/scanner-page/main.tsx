/** A page with every kind of thing that can have the focus, for the scanner's test. */
import '@mantine/core/styles.css'
import { Button, MantineProvider, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Calibration } from '#ui/scanner/Calibration.tsx'
import { CameraScan } from '#ui/scanner/CameraScan.tsx'
import { ScannerProvider, useScanHandler } from '#ui/scanner/handlers.tsx'

interface Log {
  scans: string[]
  clicks: string[]
  changes: string[]
  shortcuts: string[]
}
const log: Log = { scans: [], clicks: [], changes: [], shortcuts: [] }
Object.assign(window, { log })
// A shortcut of the page, as the shell has them.
window.addEventListener('keydown', event => log.shortcuts.push(event.key))

function Fields() {
  const [name, setName] = useState('abc')
  const [note, setNote] = useState('first\nsecond')
  const [dialog, setDialog] = useState(false)
  useScanHandler({
    match: code => (code.kind === 'order' ? code : undefined),
    handle: order => {
      log.scans.push(`order ${order.company_id} ${order.order_id}`)
    },
  })
  useScanHandler({
    layer: 'dialog',
    active: dialog,
    match: code => (code.kind === 'order' ? undefined : code),
    handle: code => {
      log.scans.push(`dialog ${code.text}`)
    },
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        log.clicks.push('submit')
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          log.changes.push(event.currentTarget.value)
        }}
      />
      <textarea aria-label="Note" value={note} onChange={event => setNote(event.target.value)} />
      <input aria-label="Amount" type="number" defaultValue="12" />
      <input aria-label="Secret" type="password" defaultValue="hush" />
      <input aria-label="Agree" type="checkbox" />
      <select aria-label="Colour" defaultValue="red">
        <option>red</option>
        <option>1 blue</option>
        <option>5 green</option>
      </select>
      {/* biome-ignore lint/a11y/useSemanticElements: editors are made of this. */}
      <div contentEditable suppressContentEditableWarning role="textbox" tabIndex={0} aria-label="Editor">
        kept
      </div>
      <div data-scan="here">
        <input aria-label="Serial" defaultValue="" />
      </div>
      <Button onClick={() => log.clicks.push('button')}>Print label</Button>
      <Button type="submit">Save</Button>
      <Button type="button" onClick={() => setDialog(true)}>
        Open
      </Button>
      <Modal opened={dialog} onClose={() => setDialog(false)} title="Weight">
        <TextInput label="Grams" defaultValue="500" data-autofocus />
        <Button onClick={() => log.clicks.push('dialog button')}>Weigh</Button>
      </Modal>
    </form>
  )
}

function Page() {
  const view = new URLSearchParams(location.search).get('view')
  if (view === 'calibration') return <Calibration />
  if (view === 'camera') return <CameraScan onCode={text => log.scans.push(text)} onClose={() => log.clicks.push('close')} />
  return <Fields />
}

createRoot(document.getElementById('root')!).render(
  <MantineProvider>
    <ScannerProvider onUnknown={code => log.scans.push(code.kind === 'refused' ? `refused: ${code.reason}` : `unknown ${code.text}`)}>
      <Page />
    </ScannerProvider>
  </MantineProvider>,
)
