import { type ComponentType, lazy } from 'react'

/** A component with code of its own that no one needs to go on: where the code does not come, as in a gap of the network, its place stays empty. */
export const optionalPart = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy<ComponentType<P>>(() =>
    load()
      .catch(() => () => null)
      .then(part => ({ default: part })),
  )
