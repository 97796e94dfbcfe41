/** Reading a map or locations from a file: what is in it, row by row what is not understood, and only then taking it over. */

import { Alert, Button, FileButton, Group, Radio, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { warehouseMapsOwn } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { Imported } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './Editor.module.css'

interface MapImportProps {
  /** What locations can be added to; without it a new map is made. */
  onto?: Drawing
  take: (imported: Imported, fileName: string) => void
  close: () => void
  taking?: boolean
}

export function MapImport({ onto, take, close, taking }: MapImportProps) {
  const t = useT()
  const [adding, setAdding] = useState(true)
  const [file, setFile] = useState<File | null>(null)
  const read = useSend(warehouseMapsOwn.import, { quiet: true })
  const open = async (chosen: File | null, add = adding) => {
    if (!chosen) return
    setFile(chosen)
    const json = /\.json$/i.test(chosen.name)
    read.mutate({ body: { format: json ? 'json' : 'csv', text: await chosen.text(), onto: !json && add && onto ? onto : null } })
  }
  const imported = read.data
  return (
    <Dialog opened onClose={close} size={640} title={t('Import a map')}>
      <Stack gap="md">
        <Text>
          {t(
            'A CSV file has the columns {{columns}}; x and y count cells from the top left corner, from 0. A JSON file is a whole map that was exported here.',
            {
              columns: 'location, x, y, side (n, e, s, w), level',
            },
          )}
        </Text>
        {onto ? (
          <Radio.Group
            label={t('Locations of a CSV file')}
            value={adding ? 'add' : 'new'}
            onChange={value => {
              setAdding(value === 'add')
              void open(file, value === 'add')
            }}
          >
            <Stack gap={8} mt={4}>
              <Radio size="sm" value="add" label={t('are added to this map; those with the same code move')} />
              <Radio size="sm" value="new" label={t('replace the whole drawing')} />
            </Stack>
          </Radio.Group>
        ) : null}
        <Group gap="sm">
          <FileButton accept=".csv,.txt,.tsv,.json,text/csv,application/json" onChange={chosen => void open(chosen)}>
            {props => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size={16} />} loading={read.isPending}>
                {t('Select a file')}
              </Button>
            )}
          </FileButton>
          {file ? <Text>{file.name}</Text> : null}
        </Group>
        {read.error ? <Alert color="brick" role="alert" title={errorSentence(read.error)} /> : null}
        {imported ? (
          <>
            <Text>
              {t('{{width}} × {{height}} cells', { width: imported.drawing.width, height: imported.drawing.height })} ·{' '}
              {t('{{count}} locations', { count: imported.drawing.locations.length })}
              {imported.replaced > 0 ? ` · ${t('{{count}} of them moved', { count: imported.replaced })}` : ''}
            </Text>
            {imported.problem_count > 0 ? (
              <Alert color="amber" title={t('{{count}} rows were left out', { count: imported.problem_count })}>
                <div className={style.preview} style={{ border: 0 }}>
                  {imported.problems.map(({ row, text, values }) => (
                    <div key={`${row} ${text}`}>
                      {t('Row {{row}}', { row })}: {t(text, values)}
                    </div>
                  ))}
                </div>
              </Alert>
            ) : null}
          </>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            {...disabledBecause(!imported && t('Select a file that can be read first'))}
            loading={taking ?? false}
            onClick={() => imported && file && take(imported, file.name)}
          >
            {onto ? t('Use this file') : t('Create map')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
