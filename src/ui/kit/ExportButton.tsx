/** The button of a list that saves its rows as a file. A phone has none. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useT } from './translate.ts'

/** `save` asks for the file of the list as it is searched and filtered. */
export function ExportButton({ save }: { save: { isPending: boolean; mutate: (nothing: undefined) => void } }) {
  const t = useT()
  return (
    <Button
      variant="default"
      visibleFrom="sm"
      leftSection={<IconDownload size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate(undefined)}
    >
      {t('Export')}
    </Button>
  )
}
