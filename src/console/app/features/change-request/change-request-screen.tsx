import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { ImportButton } from '../../import-export/import-dialog.tsx'
import { ReportButton } from '../../import-export/kept-report.tsx'
import { useChange, useList } from '../../api/api.ts'
import { More, Refusal } from '../../ui/parts.tsx'
import { DownloadButton } from '../../import-export/download.tsx'
import { ShownBlocks } from '../../diff/shown/blocks.tsx'
import { ChangeList } from '../../diff/change-list.tsx'
import { Discussion } from '../../discussion/discussion.tsx'
import { MergeBox } from './merge-box.tsx'
import { Subject, useNaming } from './naming.tsx'
import { isClosed } from '../../proposals/change-request.ts'
import { type Proposed, ProposalFrame } from './change-request-frame.tsx'
import { MarkdownArea } from '../../discussion/markdown-area.tsx'
import { plainDocument, plainTextOf } from './description.ts'
import { Reviewers } from './reviewers.tsx'
import { t } from '../../words/words.ts'
import type { ChangeRequestPath } from '../../api/paths.ts'

/** A change request: what it changes and why, what others say, and whether it can be merged. */
export function ChangeRequestScreen({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params} wide>
      {(proposed) => <Overview proposed={proposed} />}
    </ProposalFrame>
  )
}

function Overview({ proposed }: { proposed: Proposed }) {
  const { base, home, proposal, space } = proposed
  const naming = useNaming(proposed)
  return (
    <>
      <Subject proposed={proposed} naming={naming} />
      <div className="with-side">
        <div>
          <Description proposed={proposed} />
          <section aria-labelledby="changes">
            <div className="heading">
              <h2 id="changes">{t('change-request.changes')}</h2>
              <span className="actions">
                <Link className="button small" href={`${home}/diff`}>
                  {t('change-request.see-the-differences')}
                </Link>
                {space.permissions.edit && !isClosed(proposal) && (
                  <Link className="button small" href={`${home}/edit/`} aria-keyshortcuts="E">
                    {t('common.edit')}
                  </Link>
                )}
              </span>
            </div>
            <ChangeList path={`${base}/changes`} diff={`${home}/diff`} />
          </section>
          <Discussion proposed={proposed} />
        </div>
        <aside aria-label={t('change-request.merging-and-reviews')}>
          <MergeBox proposed={proposed} naming={naming} />
          <Reviewers proposed={proposed} naming={naming} />
          <Contributors base={base} />
          <ContentActions proposed={proposed} />
        </aside>
      </div>
    </>
  )
}

/** The users who edited or commented on a change request. */
function Contributors({ base }: { base: ChangeRequestPath }) {
  const list = useList(`${base}/contributors`)
  if (list.items.length === 0) return null
  return (
    <section aria-labelledby="contributors">
      <h2 id="contributors">{t('change-request.contributors')}</h2>
      <ul className="plain contributors">
        {list.items.map(({ user, actionType }) => (
          <li key={`${user.id} ${actionType}`} className="by">
            <span className="avatar" aria-hidden="true" data-letter={user.displayName.slice(0, 1)} />
            <span>
              <b>{user.displayName}</b>{' '}
              {actionType === 'edit' ? t('change-request.edited') : t('change-request.commented')}
            </span>
          </li>
        ))}
      </ul>
      <More list={list} />
    </section>
  )
}

/** The pages of a change request as a file, and pages from files. */
function ContentActions({ proposed: { base, proposal, space } }: { proposed: Proposed }) {
  return (
    <section aria-labelledby="pages">
      <h2 id="pages">{t('common.pages')}</h2>
      <div className="actions">
        <DownloadButton of={{ base }} kind="button small" />
        {space.permissions.edit && !isClosed(proposal) && (
          <ImportButton
            organizationId={space.organization}
            into={{ spaceId: space.id, number: proposal.number }}
            kind="button small"
          />
        )}
        <ReportButton place={{ spaceId: space.id, number: proposal.number }} kind="button small" />
      </div>
    </section>
  )
}

function Description({ proposed }: { proposed: Proposed }) {
  const { base, proposal, space } = proposed
  const { description } = proposal
  const plain = plainTextOf(description)
  const [draft, setDraft] = useState<string>()
  const change = useChange(`PATCH ${base}`, [base])
  const save = (text: string) =>
    change.mutate(
      { description: text.trim() === '' ? null : plainDocument(text) },
      { onSuccess: () => setDraft(undefined) },
    )
  return (
    <section aria-labelledby="description">
      <div className="heading">
        <h2 id="description">{t('common.description')}</h2>
        {space.permissions.edit && draft === undefined && plain !== undefined && (
          <Button className="small" onPress={() => setDraft(plain)}>
            {plain === '' ? t('change-request.describe-it') : t('common.change')}
          </Button>
        )}
      </div>
      {draft !== undefined ? (
        <div className="compose">
          <label>
            <span className="unseen">{t('common.description')}</span>
            <MarkdownArea
              subject={proposed}
              isPlain
              rows={5}
              value={draft}
              maxLength={10_000}
              autoFocus
              onChange={setDraft}
            />
          </label>
          <div className="actions">
            <Button className="small main" isDisabled={change.isPending} onPress={() => save(draft)}>
              {t('common.save')}
            </Button>
            <Button className="small" onPress={() => setDraft(undefined)}>
              {t('common.cancel')}
            </Button>
          </div>
        </div>
      ) : description && description.nodes.length > 0 ? (
        <ShownBlocks blocks={description.nodes} />
      ) : (
        <p className="hint">{t('change-request.nobody-said-yet')}</p>
      )}
      <Refusal error={change.error} />
    </section>
  )
}
