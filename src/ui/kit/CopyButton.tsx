/** Copies a text and says so. */
import { ActionIcon, CopyButton as Copy } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useT } from './translate.ts'

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useT()
  return (
    <Copy value={text} timeout={1500}>
      {({ copied, copy }) => {
        const word = copied ? t('Copied') : (label ?? t('Copy'))
        return (
          <ActionIcon size="sm" aria-label={word} title={word} onClick={copy} color={copied ? 'moss' : 'gray'}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        )
      }}
    </Copy>
  )
}
