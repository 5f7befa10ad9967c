import { MESSAGES_CHINESE } from '../../../../core/languages/messages-zh.ts'

/** The Chinese words of refusals of the API that writers meet, by the English ones. `{name}` stands for a value. */
export const REFUSALS_CHINESE: Readonly<Record<string, string>> = {
  ...MESSAGES_CHINESE,

  // The network and the server
  'The server cannot be reached. Check the network, and try again.': '无法连接服务器。请检查网络，然后重试。',
  'The server answered {status}.': '服务器返回 {status}。',
  'The content changed again and again meanwhile; retry the request': '内容在此期间不断变化；请重试',
  'The database is locked by another write; retry the request': '数据库正在进行另一次写入；请重试',
  'Too many requests; retry in {seconds} seconds': '请求过多；请在 {seconds} 秒后重试',
  'Too many imports are waiting; try again when one of them has ended':
    '等待中的导入过多；请在其中一个结束后重试',
  'You can create at most {limit} organizations on this server; use one of them, or ask an administrator of the server to create another':
    '你在此服务器上最多可以创建 {limit} 个组织；请使用其中一个，或请服务器管理员创建新的组织',
  'An organization can send at most {limit} invitations by e-mail in an hour: send at most {left} now, or retry in {seconds} seconds':
    '一个组织每小时最多通过邮件发送 {limit} 个邀请：现在最多发送 {left} 个，或在 {seconds} 秒后重试',
  'You can send, in all organizations together, at most {limit} invitations by e-mail in an hour: send at most {left} now, or retry in {seconds} seconds':
    '你在所有组织中每小时总共最多通过邮件发送 {limit} 个邀请：现在最多发送 {left} 个，或在 {seconds} 秒后重试',
  'You can invite, in all organizations together, at most {limit} people without an account in a day: send at most {left} now, or retry in {seconds} seconds':
    '你在所有组织中每天总共最多邀请 {limit} 位没有账户的人：现在最多发送 {left} 个，或在 {seconds} 秒后重试',
  'You can send, in all organizations together, at most {limit} invitations by e-mail in a day: send at most {left} now, or retry in {seconds} seconds':
    '你在所有组织中每天总共最多通过邮件发送 {limit} 个邀请：现在最多发送 {left} 个，或在 {seconds} 秒后重试',

  // Access
  'This requires the permission "{role}" on this space': '这需要此空间的“{role}”权限',
  'This requires the permission "{role}" in this organization': '这需要此组织的“{role}”权限',
  'This requires the permission "{role}" on this collection': '这需要此集合的“{role}”权限',
  'This requires the permission "{role}" on this space to {deed}': '这需要此空间的“{role}”权限',
  'Adding the space {id} to a site requires the permission "create" on it':
    '将空间 {id} 添加到站点需要该空间的“创建者”权限',
  'Only the author can change the {part}': '只有作者可以更改它',
  'This is the last administrator of the organization; make another member an administrator first':
    '这是组织的最后一名管理员；请先将另一名成员设为管理员',
  'This organization requires single sign-on: sign in at {address} of this server':
    '此组织要求单点登录：请在此服务器的 {address} 登录',

  // Names and places that are taken
  'A resource with the same name already exists': '已存在同名的资源',
  'Another {kind} has the path "{path}"; choose another one': '路径“{path}”已被占用；请选择其他路径',
  'Another site has the host name "{name}"; choose another one':
    '另一个站点已使用主机名“{name}”；请选择其他主机名',
  'Another site of the organization uses the basename "{name}"; choose another one':
    '组织的另一个站点已使用基本名称“{name}”；请选择其他名称',
  '"hostname" is used by another organization; choose another one':
    '此主机名已被另一个组织使用；请选择其他主机名',
  'The organization already has a custom field "{name}"; choose another name':
    '组织已有自定义字段“{name}”；请选择其他名称',
  'The site contains the space "{title}" ({id}) already': '站点已包含空间“{title}”',
  'The redirect {id} of the site has the source "{source}"': '站点已有来源为“{source}”的重定向',
  'The site "{title}" contains it; remove it from the site first': '站点“{title}”包含它；请先将它从站点移除',
  'A collection cannot be moved into itself or into a collection inside it':
    '集合不能移动到自身或其内部的集合中',
  'Collections can be nested at most 20 levels deep': '集合最多嵌套 20 层',
  'The site has no spaces, so it cannot be published; add a space first':
    '站点没有空间，因此无法发布；请先添加空间',

  // Contradictions
  'Others have changed the same parts of {titles} since the revision; choose between the versions in "conflicts", and send the changes based on the newest revision':
    '其他人已更改 {titles} 的相同部分；请在各个版本之间选择',
  'This space is locked: open a change request and change the content there, or make the space "live" first':
    '此空间已锁定：请创建变更请求并在其中更改内容',
  'This space is locked: its content changes by merging change requests, or make it "live" first':
    '此空间已锁定：其内容只能通过合并变更请求更改',
  'A merged change request cannot be changed; create another one':
    '已合并的变更请求无法更改；请创建新的变更请求',
  'This change request is merged; create another one': '此变更请求已合并；请创建新的变更请求',
  'This change request is archived; set its status to "open" or "draft" first':
    '此变更请求已归档；请先重新打开',
  'There is nothing to merge: the primary content includes every change of this change request':
    '没有可合并的内容：主要内容已包含此变更请求的所有更改',
  'This change request has a conflict that is open: resolve it first':
    '此变更请求有 1 个未解决的冲突：请先解决',
  'This change request has {count} conflicts that are open: resolve them first':
    '此变更请求有 {count} 个未解决的冲突：请先解决',
  'This conflict is already resolved': '此冲突已解决',
  'These contents take too long to merge: merge the changes in smaller parts':
    '合并这些内容耗时过长：请分成较小的部分合并',
  'The content of the change request has changed since "revision"; read it again and then review it':
    '变更请求的内容已更改；请重新阅读后再评审',
  'The current content is already the same as that of this revision': '当前内容已与此修订版本相同',
  'The suggestion is applied already': '建议已应用',
  'The suggestion is applied already; post a new comment': '建议已应用；请发表新评论',
  'The text that the suggestion replaces is gone; resolve the comment, or edit the page':
    '建议所替换的文本已不存在；请解决评论，或编辑页面',
  'A comment or reply can have at most {limit} different emoji; react with an existing one':
    '一条评论或回复最多有 {limit} 种表情；请使用已有的表情',
  'The space is not in the trash': '空间不在回收站中',

  // Conditions in the source of a page
  'a tag that begins like a condition has no end in its line, so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag':
    '一个像条件的标签在其所在行没有结束，因此其后的内容对所有人隐藏；请按手册写“{% if … %}”和“{% endif %}”，或在标签前加反斜杠',
  '{tag} is no condition, so what follows it is hidden from everybody; write "{% if … %}" and "{% endif %}" as the manual shows, or put a backslash before the tag':
    '{tag} 不是条件，因此其后的内容对所有人隐藏；请按手册写“{% if … %}”和“{% endif %}”，或在标签前加反斜杠',
  '"{key}" of the front matter has {tag}, which is no condition there, so what follows it is hidden from everybody; put the condition around a whole block, or write it as "if" of the front matter':
    'front matter 的“{key}”包含 {tag}，它在那里不是条件，因此其后的内容对所有人隐藏；请将条件放在整个内容块周围，或写为 front matter 的“if”',
  'the title has {tag}, which is no condition there, so what follows it in the title is hidden from everybody; put the condition around a whole block, or write it as "if" of the front matter':
    '标题包含 {tag}，它在那里不是条件，因此标题中其后的内容对所有人隐藏；请将条件放在整个内容块周围，或写为 front matter 的“if”',
  '"if" of the front matter is not a valid condition, so the page is hidden from everybody: {fault}':
    'front matter 的“if”不是有效的条件，因此此页面对所有人隐藏：{fault}',
  '{tag} is not a valid condition, so what follows it is hidden from everybody: {fault}':
    '{tag} 不是有效的条件，因此其后的内容对所有人隐藏：{fault}',
  'the title has the expression {expression}, which readers see as its source; write the expression in the text of the page instead':
    '标题包含表达式 {expression}，读者看到的是其源代码；请改为将表达式写在页面正文中',
  'the expression {expression} is in the label of a button or the title of a column, where readers see its source; write it in the text of a block instead':
    '表达式 {expression} 位于按钮的文字或列的标题中，读者在那里看到的是其源代码；请改为写在内容块的正文中',
  '{tag} has no "{% endif %}", so the rest of the page is hidden from everybody who does not meet it; write "{% endif %}" where the condition ends':
    '{tag} 没有“{% endif %}”，因此页面的其余部分对不满足该条件的人隐藏；请在条件结束处写“{% endif %}”',
  'a value of the tag "{tag}" has a condition, which is none there, so what follows it in the value, or the block around a tag within a line, is hidden from everybody; put the condition around the whole block':
    '标签“{tag}”的值包含条件，它在那里不是条件，因此该值中其后的内容（或行内标签所在的内容块）对所有人隐藏；请将条件放在整个内容块周围',
  '{tag} ends a condition that begins in a value of another tag or in the front matter, where it is none, so what is between them is hidden from readers who do not meet it; write "{% if … %}" before the first block that it hides':
    '{tag} 结束的条件始于另一个标签的值或 front matter，它在那里不是条件，因此两者之间的内容对不满足条件的读者隐藏；请在它要隐藏的第一个内容块之前写“{% if … %}”',
  'cannot be read as Markdown and is shown as its source: {reason}':
    '无法作为 Markdown 读取，因此显示其源代码：{reason}',

  // Sizes
  'The body must have at most {limit}': '内容最多 {limit}',
  'The file must have at most {limit}': '文件最多 {limit}',
  'This upload does not exist or has expired; create a new one': '上传不存在或已过期；请重新上传',

  // Values
  'must be an absolute URL, but was {value}': '必须是完整的网址，但现在是 {value}',
  'must begin with "https://" or "http://", but was {value}':
    '必须以“https://”或“http://”开头，但现在是 {value}',
  'must be between {least} and {most}, but was {value}': '必须在 {least} 到 {most} 之间，但现在是 {value}',
  'must be at least {least}, but was {value}': '至少为 {least}，但现在是 {value}',
  'must be at most {most}, but was {value}': '最多为 {most}，但现在是 {value}',
  'must have at most {limit} items, but has {size}': '最多 {limit} 项，但有 {size} 项',
  'must not contain the same item twice': '不能重复包含相同的项',
}
