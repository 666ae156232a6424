import documents from './documents.js';

export const { searchDocuments } = documents;
export default documents;
