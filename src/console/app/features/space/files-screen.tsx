import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useList } from '../../api/api.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { Named, Rows } from '../../ui/parts.tsx'
import { language, t } from '../../words/words.ts'
import { Uses } from './uses.tsx'

interface SpaceFile {
  id: string
  name: string
  contentType: string
  downloadURL: string
  size: number
  dimensions?: { width: number; height: number }
}

/** The files of a space, and where they are used. */
export function FilesScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  const files = useList(`/spaces/${spaceId}/content/files`)
  return (
    <SpaceFrame id={spaceId} title={t('common.files')}>
      {() => (
        <>
          <Rows list={files} empty={t('space.there-no-file-yet')} kind="rows files">
            {(file) => <FileRow key={file.id} file={file} spaceId={spaceId} />}
          </Rows>
        </>
      )}
    </SpaceFrame>
  )
}

/** A number of bytes as people read it. */
function sizeText(bytes: number): string {
  const [unit, size]: [string, number] =
    bytes < 1000 ? ['byte', bytes] : bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6]
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay,
    maximumFractionDigits: 1,
  }).format(size)
}

function FileRow({ file, spaceId }: { file: SpaceFile; spaceId: string }) {
  const [isOpen, setOpen] = useState(false)
  const isImage = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)/.test(file.contentType)
  return (
    <li>
      <span className="file">
        {isImage ? (
          <img src={file.downloadURL} alt="" width="48" height="48" loading="lazy" />
        ) : (
          <span className="no-image" aria-hidden="true" />
        )}
        <span className="name">
          <a href={file.downloadURL} target="_blank" rel="noreferrer">
            {file.name}
          </a>
          <span>
            {sizeText(file.size)}
            {file.dimensions && ` · ${file.dimensions.width} × ${file.dimensions.height}`}
          </span>
        </span>
      </span>
      <Button className="small quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Named name={file.name}>{t('space.where-used')}</Named>
      </Button>
      {isOpen && (
        <div className="below">
          <Uses
            path={`/spaces/${spaceId}/content/files/${file.id}/backlinks`}
            addressOf={({ path = '' }) => `/s/${spaceId}/${path}`}
          />
        </div>
      )}
    </li>
  )
}
