/** The list of shortcuts that work where one is, opened by `?`. */
import { Table } from '@mantine/core'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Kbd } from '#ui/kit/Kbd.tsx'
import { useOfferedShortcuts } from '#ui/kit/shortcuts.ts'
import { useT } from '#ui/kit/translate.ts'

export function ShortcutsHelp({ close }: { close: () => void }) {
  const t = useT()
  const offered = useOfferedShortcuts()
  const always = [
    { keys: 'Ctrl K', does: t('Search, jump and act') },
    { keys: 'Esc', does: t('Close topmost layer') },
    { keys: '↑ ↓', does: t('Move through a list') },
    { keys: 'Enter', does: t('Open row') },
    { keys: 'Space', does: t('Select the row; with Shift up to here') },
    { keys: 'Ctrl S', does: t('Save form') },
    { keys: 'Ctrl Enter', does: t('Send what is written') },
  ]
  return (
    <Dialog opened onClose={close} title={t('Shortcuts')} size="lg">
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {[...always, ...offered].map(({ keys, does }) => (
            <Table.Tr key={`${keys} ${does}`}>
              <Table.Td w={140}>
                <Kbd keys={keys.length === 1 || keys.includes(' ') ? keys.replace(/\b[a-z]\b/g, letter => letter.toUpperCase()) : keys} />
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
