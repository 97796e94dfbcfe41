/** `dist/web/libraries.json`: the packages in the browser's bundle with their licences, for the page that names all libraries. */
import { existsSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface PackageFile {
  name?: string
  version?: string
  license?: string
  homepage?: string
}

export function librariesFile(): Plugin {
  return {
    name: 'libraries-file',
    apply: 'build',
    generateBundle() {
      const folders = new Set(
        [...this.getModuleIds()].map(id => /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/'))?.[0]),
      )
      const libraries = [...folders].flatMap(folder => {
        const file = `${folder?.replace(/^\0+/, '')}/package.json`
        if (!existsSync(file)) return []
        const { name, version, license, homepage } = JSON.parse(readFileSync(file, 'utf8')) as PackageFile
        return name && version
          ? [{ name, version, licence: license ?? 'see its files', homepage: homepage?.startsWith('https://') ? homepage : null }]
          : []
      })
      this.emitFile({ type: 'asset', fileName: 'libraries.json', source: JSON.stringify(libraries) })
    },
  }
}
