/** Who gets mails: addresses, of which Enter, a space, a comma or a semicolon ends each. */
import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useT } from './translate.ts'

const most = 10

export function RecipientsInput(props: Omit<TagsInputProps, 'label' | 'maxTags' | 'splitChars' | 'acceptValueOnBlur'>) {
  const t = useT()
  return (
    <TagsInput
      label={t('Recipients')}
      description={t('At most 10 addresses; Enter adds one')}
      maxTags={most}
      splitChars={[',', ';', ' ']}
      acceptValueOnBlur
      {...props}
    />
  )
}
