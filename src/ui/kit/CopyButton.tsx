/** Copies a text and says so: as a button alone, or beside the text. */
import { ActionIcon, Code, CopyButton as Copy, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { apiHost, companyOfHost } from '#ui/query/request-context.ts'
import { useT } from './translate.ts'

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useT()
  return (
    <Copy value={text} timeout={1500}>
      {({ copied, copy }) => {
        const word = copied ? t('Copied') : (label ?? t('Copy'))
        return (
          <ActionIcon size="sm" aria-label={word} title={word} onClick={copy} color={copied ? 'moss' : 'gray'}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        )
      }}
    </Copy>
  )
}

/** Where a program outside of this page finds the call. */
export const addressOf = (path: string): string => `${apiHost() || window.location.origin}/api/${companyOfHost()}/${path}`

/** Text for another program: shown whole, and copied with one press. */
export function Copied({ text, label, block }: { text: string; label: string; block?: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Code block style={{ flex: 1, minWidth: 0, whiteSpace: block ? 'pre-wrap' : 'normal', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyButton text={text} label={label} />
    </Group>
  )
}
