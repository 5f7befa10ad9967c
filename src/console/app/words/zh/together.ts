/** The Chinese words of working together, by the English ones. */
export const TOGETHER_CHINESE: Readonly<Record<string, string>> = {
  'Also here': '也在这里',
  Somebody: '某人',
  'There is no network. The console goes on when it is back, and keeps what you write.':
    '没有网络。网络恢复后控制台会继续工作，你写的内容会保留。',
  '“{title}” has text that cannot be saved: {reason}': '“{title}”有无法保存的文本：{reason}',
  '“{title}” has text that is not saved yet. It is saved when the server can be reached.':
    '“{title}”有尚未保存的文本。能连接到服务器时会自动保存。',
  '“{title}” has text that is not saved, because others have changed the same words.':
    '“{title}”有未保存的文本，因为其他人修改了相同的内容。',
  'Change request #{number}': '变更请求 #{number}',
  Discard: '放弃',
  'Text that is not saved': '未保存的文本',
  'is on another page': '在其他页面',
  'is reading': '正在阅读',
  'is writing': '正在编辑',
}
